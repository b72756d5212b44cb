import { useEffect, useState } from 'react'

/** Pause after the last key before the server is asked. */
const pauseMs = 400

/** The value once it has not changed for a moment. Compared by content, so a new object with the same parts is the same. */
export function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  const key = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(key) as T), pauseMs)
    return () => clearTimeout(timer)
  }, [key])
  return settled
}
