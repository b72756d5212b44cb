import { useEffect, useEffectEvent, useState } from 'react'
import type { Span } from './graph-lines.ts'

/** How much faster than it was. */
export const replaySpeeds = [1, 2, 5, 10, 30, 60] as const
export type ReplaySpeed = (typeof replaySpeeds)[number]

export interface Replay {
  /** Epoch milliseconds, within the span. */
  readonly at: number
  readonly isPlaying: boolean
  readonly speed: ReplaySpeed
  readonly setSpeed: (speed: ReplaySpeed) => void
  /** At the end it begins again. */
  readonly toggle: () => void
  /** Goes to a moment, also while it plays. */
  readonly seek: (at: number) => void
}

const within = (at: number, { from, to }: Span): number => Math.min(to, Math.max(from, at))

/**
 * The moment that graph, map and list show, and its movement.
 *
 * @param begin Where it begins; null is the end of the span, where they are now or were last, and it goes along when more is known.
 */
export function useReplay(span: Span, begin: number | null): Replay {
  const [moved, setMoved] = useState(begin)
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<ReplaySpeed>(30)
  const at = within(moved ?? span.to, span)
  const seek = (where: number) => setMoved(where >= span.to ? null : within(where, span))
  const step = useEffectEvent((ms: number) => {
    const next = at + ms * speed
    seek(next)
    if (next >= span.to) setPlaying(false)
  })
  useEffect(() => {
    if (!isPlaying) return
    let before = performance.now()
    let frame = requestAnimationFrame(function play(now) {
      step(Math.max(0, now - before))
      before = now
      frame = requestAnimationFrame(play)
    })
    return () => cancelAnimationFrame(frame)
  }, [isPlaying])
  return {
    at,
    isPlaying,
    speed,
    setSpeed,
    toggle: () => {
      if (!isPlaying && at >= span.to) setMoved(span.from)
      setPlaying(!isPlaying)
    },
    seek,
  }
}
