import { useEffect, useEffectEvent } from 'react'

/**
 * Escape goes back to the list, unless a drawer or a menu is over it.
 *
 * @param isFirst Before all others that listen.
 */
export function useEscape(onBack: () => void, isFirst = false): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    if (document.querySelector('.drawer, [role=dialog], [role=menu], [role=listbox]')) return
    // of two that listen, one goes back
    event.preventDefault()
    onBack()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen, isFirst)
    return () => document.removeEventListener('keydown', listen, isFirst)
  }, [isFirst])
}
