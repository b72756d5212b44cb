import type { Report } from '@tour-ops/contract/reports/reports'
import { Card } from '../../ui/card.tsx'
import { formatNumber, formatPercent } from '../../ui/format.ts'
import { mixTitle, partLabel } from './mix-labels.ts'

type Mix = Report['mixes'][number]

/** Parts of a whole as bars, each with its number as text: who travels, and how they book. */
export function ReportMixes({ mixes }: { mixes: readonly Mix[] }) {
  const shown = mixes.filter(({ of, parts }) => mixTitle(of) !== undefined && parts.length > 0)
  if (shown.length === 0) return null
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {shown.map((mix) => (
        <MixCard key={mix.of} mix={mix} />
      ))}
    </div>
  )
}

function MixCard({ mix: { of, parts } }: { mix: Mix }) {
  const largest = Math.max(...parts.map(({ n }) => n))
  // A guest may have several needs, so the parts may be more than the whole: bars compare them with the largest.
  const total = parts.reduce((sum, { n }) => sum + n, 0)
  return (
    <Card title={mixTitle(of)} padded>
      <ul className="grid gap-2">
        {parts.map(({ key, n }) => (
          <li key={key} className="grid grid-cols-[minmax(0,1fr)_auto_44px] items-baseline gap-x-2">
            <span className="truncate text-ink-strong">{partLabel(of, key)}</span>
            <span className="num font-medium text-ink-strong">{formatNumber(n)}</span>
            <span className="num text-end text-xs text-ink-2">{formatPercent(n / total)}</span>
            <span className="col-span-3 mt-1 h-1 overflow-hidden rounded-full bg-line" aria-hidden>
              <span className="block h-full rounded-full bg-brand-2" style={{ width: `${(n / largest) * 100}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
