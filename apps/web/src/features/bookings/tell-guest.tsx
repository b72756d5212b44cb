import { useQuery } from '@tanstack/react-query'
import type { Booking } from '@tour-ops/contract/bookings/bookings'
import { type GuestEvent, listGuestRules } from '@tour-ops/contract/notifications/guest-rules'
import type { ReactNode } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Checkbox } from '../../ui/choice.tsx'
import { useNow } from '../../ui/clock.ts'

/** Whether guests are told of an event on their own, as far as the person at the screen may know. */
function useIsTold(event: GuestEvent): boolean {
  const mayKnow = useAccess().can('settings:read')
  const { data } = useQuery({ ...callQuery(listGuestRules, {}), enabled: mayKnow })
  return data?.rules.some((rule) => rule.event === event && rule.isOn) ?? false
}

interface TellGuestProps {
  event: GuestEvent
  /** Of the tour: afterwards nobody is told. */
  startsAt: string
  label: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
}

/** Leaves out this once what guests are told by the rules of the organization; not shown where they are told nothing. */
export function TellGuest({ event, startsAt, label, checked, onChange }: TellGuestProps) {
  const now = useNow(30_000)
  const isTold = useIsTold(event)
  if (!isTold || Date.parse(startsAt) <= now) return null
  return (
    <Checkbox
      className="coarse:min-h-11 coarse:items-center"
      label={label}
      checked={checked}
      onChange={(change) => onChange(change.target.checked)}
    />
  )
}

interface TellContactProps extends Pick<TellGuestProps, 'event' | 'checked' | 'onChange'> {
  booking: Pick<Booking, 'status' | 'contact' | 'startsAt'>
}

/** The same for the contact of a booking that is confirmed and has an e-mail address. */
export function TellContact({ booking: { status, contact, startsAt }, ...rest }: TellContactProps) {
  const { name, email } = contact
  if (status !== 'confirmed' || !email) return null
  return <TellGuest {...rest} startsAt={startsAt} label={m.bookings_tell({ name, email })} />
}
