import { useEffect, useState } from 'react'

/** The value once it has not changed for a moment. Compared by content, so a new object with the same parts is the same. */
export function useDebounced<T>(value: T, delayMs = 400): T {
  const [settled, setSettled] = useState(value)
  const key = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(key) as T), delayMs)
    return () => clearTimeout(timer)
  }, [key, delayMs])
  return settled
}
