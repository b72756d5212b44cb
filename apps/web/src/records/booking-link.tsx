import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/** Opens a booking over the present screen; a departure's drawer behind it is shown again when it is closed. */
export function BookingLink({
  id,
  className,
  children,
}: Pick<ComponentProps<'a'>, 'className' | 'children'> & { id: string }) {
  return (
    <Link to="." search={(before) => ({ ...before, booking: id })} resetScroll={false} className={className ?? ''}>
      {children}
    </Link>
  )
}
