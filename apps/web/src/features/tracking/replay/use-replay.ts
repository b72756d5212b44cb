import { useEffect, useEffectEvent, useState } from 'react'
import type { Span } from './span.ts'
import { movedTo, playedOn, type ReplaySpeed, within } from './replay-time.ts'

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
  const seek = (where: number) => setMoved(movedTo(where, span))
  // From the last moment and not from the one that is shown: a frame may come before the one before is on the screen, and its time would be lost.
  const step = useEffectEvent((ms: number) => setMoved((last) => playedOn(last ?? span.to, ms, speed, span)))
  if (isPlaying && moved === null) setPlaying(false)
  useEffect(() => {
    if (!isPlaying) return
    let before = performance.now()
    let frame = requestAnimationFrame(function play(now) {
      step(now - before)
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
