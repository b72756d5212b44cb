import { useEffect, useEffectEvent } from 'react'
import { navigateTo } from '../../addresses/navigate-to.ts'
import { paths } from '../../addresses/paths.ts'
import { useAccess } from '../../identity/access.ts'
import { isInPopup, isTyping } from '../../ui/drawer.tsx'

/** N begins a booking from anywhere: for the traveler or on the departure that is on screen. Not while somebody types or answers a dialog. */
export function NewBookingKey() {
  const { can } = useAccess()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'n' || event.defaultPrevented) return
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (isTyping(event.target) || isInPopup(event.target) || document.querySelector('.dialog') !== null) return
    if (!can('bookings:manage') || location.pathname.startsWith(paths.newBooking())) return
    event.preventDefault()
    navigateTo(newBookingFrom(location))
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return null
}

/** Where a booking begins on a screen: with the traveler of the page and the departure of the drawer, if there are any. */
export function newBookingFrom({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  const departure = new URLSearchParams(search).get('departure')
  const [, traveler] = /^\/travelers\/details\/([^/]+)$/.exec(pathname) ?? []
  const path = traveler === undefined ? paths.newBooking() : paths.travelerBook(traveler)
  return departure === null ? path : `${path}?${new URLSearchParams({ bookOn: departure }).toString()}`
}
