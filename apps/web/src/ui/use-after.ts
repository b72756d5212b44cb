import { useEffect, useState } from 'react'

/** False until something has been so for a time. */
export function useAfter(isSo: boolean, ms: number): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (!isSo) return
    const timer = setTimeout(() => setOver(true), ms)
    return () => clearTimeout(timer)
  }, [isSo, ms])
  return isOver
}
