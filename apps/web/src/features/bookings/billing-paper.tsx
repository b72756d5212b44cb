import type { PrintedDocument } from '@tour-ops/contract/bookings/billing'
import { type PaperTexts, paperTexts } from './billing-texts.ts'
import './billing-paper.css'

/** An invoice, credit note or receipt as it is printed, in the language of the guest. */
export function BillingPaper({ document }: { document: PrintedDocument }) {
  const texts = paperTexts(document)
  return (
    <div className="billing-paper" lang={document.locale} dir="ltr">
      <header>
        <div>
          <h3>{texts.title}</h3>
          <dl>
            {texts.facts.map(([label, value]) => (
              <div key={label} className="contents">
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
        <Party className="paper-seller" lines={texts.seller} />
      </header>
      {texts.notice !== null && <p className="paper-notice">{texts.notice}</p>}
      <section>
        <p className="paper-label">{texts.buyerLabel}</p>
        <Party className="paper-buyer" lines={texts.buyer} />
      </section>
      <section>{texts.tour}</section>
      <Lines {...texts} hasPrices={document.kind !== 'receipt'} />
      {texts.taxes && <Taxes {...texts.taxes} />}
      {texts.scheme !== null && <p className="paper-note">{texts.scheme}</p>}
      {document.seller.note !== null && <p className="paper-note">{document.seller.note}</p>}
    </div>
  )
}

/** Names come in any alphabet, and each line has its own direction. */
function Party({ className, lines }: { className: string; lines: readonly string[] }) {
  return (
    <address className={`not-italic ${className}`}>
      {lines.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines of an address, which may be equal
        <div key={index}>
          <bdi>{line}</bdi>
        </div>
      ))}
    </address>
  )
}

/** Net, tax and gross of each rate. */
function Taxes({ columns: [rate, ...amounts], rows }: NonNullable<PaperTexts['taxes']>) {
  return (
    <table className="paper-taxes">
      <thead>
        <tr>
          <th scope="col">{rate}</th>
          {amounts.map((label) => (
            <th key={label} scope="col" className="paper-amount">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, net, tax, gross]) => (
          <tr key={name}>
            <th scope="row">
              <bdi>{name}</bdi>
            </th>
            <td className="paper-amount">{net}</td>
            <td className="paper-amount">{tax}</td>
            <td className="paper-amount">{gross}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type LinesProps = Pick<ReturnType<typeof paperTexts>, 'columns' | 'lines' | 'sums'> & {
  /** Receipts have an amount alone. */
  hasPrices: boolean
}

function Lines({ columns: [what, quantity, price, amount], lines, sums, hasPrices }: LinesProps) {
  const width = hasPrices ? 3 : 1
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{what}</th>
          {hasPrices && (
            <>
              <th scope="col" className="paper-amount">
                {quantity}
              </th>
              <th scope="col" className="paper-amount">
                {price}
              </th>
            </>
          )}
          <th scope="col" className="paper-amount">
            {amount}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={`${line.what} ${line.amount}`}>
            <td>
              <bdi>{line.what}</bdi>
            </td>
            {hasPrices && (
              <>
                <td className="paper-amount">{line.quantity}</td>
                <td className="paper-amount">{line.price}</td>
              </>
            )}
            <td className="paper-amount">{line.amount}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        {sums.map(([label, sum]) => (
          <tr key={label}>
            <th scope="row" colSpan={width}>
              {label}
            </th>
            <td className="paper-amount">{sum}</td>
          </tr>
        ))}
      </tfoot>
    </table>
  )
}
