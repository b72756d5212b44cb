import { useEffect, useEffectEvent } from 'react'
import { isTyping } from '../../ui/drawer.tsx'

export interface AlertKeys {
  take: () => void
  snooze: () => void
  resolve: () => void
  step: (by: 1 | -1) => void
  close: () => void
}

/** What may be open over the board while its keys work: the drawer of the selected alert, which holds an element with this attribute. */
export const alertPanelAttribute = 'data-alert-panel'

const isSomethingOver = (): boolean =>
  [...document.querySelectorAll('[role=dialog], [role=menu], [role=listbox]')].some(
    (over) => over.querySelector(`[${alertPanelAttribute}]`) === null,
  )

/** T, S, R, J, K and Escape on the board; nothing while somebody types, or while a dialog or another drawer is over it. */
export function useAlertKeys(keys: AlertKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (isSomethingOver()) return
    const actions: Readonly<Record<string, () => void>> = {
      t: keys.take,
      s: keys.snooze,
      r: keys.resolve,
      j: () => keys.step(1),
      k: () => keys.step(-1),
      Escape: keys.close,
    }
    const act = actions[event.key]
    if (!act) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
