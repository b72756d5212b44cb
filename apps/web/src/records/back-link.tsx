import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'

/** From a record to the list that it is in; is above the title of the page. */
export const BackLink = ({
  to,
  children,
}: {
  to: '/travelers/list' | '/field-staff/list' | '/vehicles'
  children: string
}) => (
  <Link to={to} className="-ms-1 inline-flex min-h-6 items-center gap-1 rounded text-ink-2 hover:text-ink-strong">
    <ChevronLeft size={16} className="rtl:-scale-x-100" aria-hidden />
    {children}
  </Link>
)
