import { LifeBuoy } from 'lucide-react'
import { Link } from 'wouter'
import { m } from '../../../paraglide/messages.js'
import { Bar } from '../components/bar.tsx'
import { helpCallOf, isCalling } from '../rules/help-call.ts'
import { usePhone } from '../store/phone.ts'
import { helpState } from './help-state.ts'

/** As long as somebody calls for help every page says how far the call has got. */
export function HelpBar() {
  const atOffice = usePhone(({ day }) => day?.help)
  const kept = usePhone((state) => state.kept)
  const isSignedOut = usePhone(({ person }) => person === 'expired')
  const call = helpCallOf(atOffice, kept)
  if (!isCalling(call)) return null
  return (
    <Bar
      icon={LifeBuoy}
      tone="bad"
      title={m.duty_help_called()}
      text={helpState(call, isSignedOut)}
      action={
        <Link href="/help" className="duty-link px-2 underline">
          {m.duty_look()}
        </Link>
      }
    />
  )
}
