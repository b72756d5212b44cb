import { setOptOut } from '@tour-ops/contract/notifications/opt-outs'
import { useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Switch } from '../../ui/choice.tsx'
import { toast } from '../../ui/toast.tsx'

interface BookingOptOutProps {
  id: string
  isOptedOut: boolean
  /** Their phone is what reaches them. */
  isByPhone: boolean
  /** They wrote STOP themselves. */
  isByText: boolean
}

/** Whether the contact of a booking wants only what is needed: they say so on their page, or on the phone. */
export function BookingOptOut({ id, isOptedOut, isByPhone, isByText }: BookingOptOutProps) {
  const { can } = useAccess()
  const { mutate, isPending, variables } = useCall(setOptOut, {
    onError: (error) => toast(refusalText(error)),
  })
  if (isByText) return <p className="px-4 pt-2 text-ink-2 lg:px-6">{m.bookings_opted_out_by_text()}</p>
  if (!can('bookings:manage')) {
    return isOptedOut ? <p className="px-4 pb-2 text-ink-2 lg:px-6">{m.bookings_opted_out()}</p> : null
  }
  return (
    <div className="px-4 pt-2 lg:px-6">
      <Switch
        label={isByPhone ? m.bookings_opt_out_messages() : m.bookings_opt_out()}
        hint={m.bookings_opt_out_hint()}
        checked={isPending ? variables.isOptedOut : isOptedOut}
        disabled={isPending}
        onChange={(event) => mutate({ id, isOptedOut: event.target.checked })}
      />
    </div>
  )
}
