import { useEffect, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useMedia } from './use-media.ts'

/** Content for print only: rendered when the page is printed, and costs nothing before. */
export function OnPaper({ children }: { children: ReactNode }) {
  return useIsPrinting() ? children : null
}

/** Browsers print what is there when their `beforeprint` event is over, hence at once. */
function useIsPrinting(): boolean {
  const isPaper = useMedia('print')
  const [isAsked, setAsked] = useState(false)
  useEffect(() => {
    const begin = () => flushSync(() => setAsked(true))
    const end = () => setAsked(false)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return isPaper || isAsked
}
