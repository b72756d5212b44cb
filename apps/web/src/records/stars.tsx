import { Star } from 'lucide-react'
import { m } from '../paraglide/messages.js'
import { formatNumber } from '../ui/format.ts'

interface StarsProps {
  /** 1 to 5. */
  rating: number
  size?: number
}

/** A rating as stars. */
export function Stars({ rating, size = 16 }: StarsProps) {
  return (
    <span
      role="img"
      aria-label={m.reports_feedback_stars({ rating: formatNumber(rating) })}
      className="inline-flex gap-0.5 text-brand"
    >
      {[1, 2, 3, 4, 5].map((count) => (
        <Star key={count} size={size} aria-hidden className={count <= rating ? 'fill-current' : 'text-ctl'} />
      ))}
    </span>
  )
}
