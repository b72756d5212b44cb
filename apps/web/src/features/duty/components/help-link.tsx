import { LifeBuoy } from 'lucide-react'
import { Link } from 'wouter'
import { m } from '../../../paraglide/messages.js'

/** The way to the call for help, one press from where the person is. */
export const HelpLink = ({ tour = '' }: { tour?: string }) => (
  <Link href={`${tour}/help`} className="duty-icon text-bad" aria-label={m.duty_help()}>
    <LifeBuoy size={24} aria-hidden />
  </Link>
)
