import type { Figure } from '@tour-ops/contract/reports/reports'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { figureBasis, figureLines } from './figure-text.ts'
import { metricLabels } from './metric-labels.ts'

/** The figures of the whole period, each with what it was before. Amounts are grouped by currency. */
export function ReportFigures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="card grid grid-cols-2 overflow-hidden sm:grid-cols-[repeat(auto-fit,minmax(200px,1fr))]">
      {figures.map((figure) => (
        <div key={figure.metric} className="-me-px -mb-px min-w-0 border-e border-b border-line px-4 py-3.5">
          <dt className="text-xs text-ink-2">{metricLabels[figure.metric]()}</dt>
          {figureLines(figure).map(({ key, text, before }, at) => (
            <dd key={key} className="num">
              <span
                className={classNames(
                  'block font-semibold tracking-tight text-ink-strong',
                  at === 0 ? 'text-2xl leading-9' : 'text-base',
                )}
              >
                {text}
              </span>
              {before !== null && (
                <span className="block text-xs text-ink-2">{m.reports_before({ value: before })}</span>
              )}
            </dd>
          ))}
          <FigureBasis figure={figure} />
        </div>
      ))}
    </dl>
  )
}

function FigureBasis({ figure }: { figure: Figure }) {
  const basis = figureBasis(figure)
  return basis === null ? null : <dd className="num text-xs text-ink-2">{basis}</dd>
}
