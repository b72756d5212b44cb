import { m } from '../paraglide/messages.js'
import { classNames } from './class-names.ts'

/** One grey block. */
function Skeleton({ className }: { className?: string | undefined }) {
  return <span className={classNames('skeleton', className)} aria-hidden />
}

/** Rows of a list that is loading. Nothing shows for the first 150 ms, so that a quick answer does not flash. */
export function SkeletonRows({ rows = 8, label }: { rows?: number; label?: string | undefined }) {
  return (
    <div role="status" aria-label={label ?? m.ui_loading()} className="appear-late w-full">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex h-9 items-center gap-4 border-b border-line px-4">
          <Skeleton className="h-3 w-10" />
          <Skeleton className="h-3 w-24" />
          <Skeleton className={classNames('h-3', row % 3 === 0 ? 'w-56' : row % 3 === 1 ? 'w-40' : 'w-48')} />
        </div>
      ))}
    </div>
  )
}
