import { useEffect, useEffectEvent, useState } from 'react'

/**
 * A typed value that is handed on after a pause: `[typed, setTyped]`. A change that came from elsewhere (a cleared
 * filter, a saved view) replaces what was typed; the echo of our own does not, or the last keys would be lost.
 *
 * @param delayMs Pause after the last key.
 */
export function useDebouncedInput(value: string, onSettled: (value: string) => void, delayMs = 250) {
  const [typed, setTyped] = useState(value)
  const [sent, setSent] = useState(value)
  const [seen, setSeen] = useState(value)
  if (seen !== value) {
    setSeen(value)
    if (value !== sent) setTyped(value)
    setSent(value)
  }
  const settle = useEffectEvent((next: string) => {
    setSent(next)
    onSettled(next)
  })
  useEffect(() => {
    if (typed === sent) return undefined
    const timer = setTimeout(() => settle(typed), delayMs)
    return () => clearTimeout(timer)
  }, [typed, sent, delayMs])
  return [typed, setTyped] as const
}
