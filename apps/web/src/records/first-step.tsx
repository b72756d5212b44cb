import { Link, linkOptions, type LinkProps } from '@tanstack/react-router'
import type { Permission } from '@tour-ops/contract/identity/access'
import type { ReactNode } from 'react'
import { useAccess } from '../identity/access.ts'
import { buttonClass } from '../ui/button.tsx'

interface FirstStepProps {
  permission: Permission
  /** Where it leads, by `linkOptions`. */
  link: Pick<LinkProps, 'to' | 'search'>
  isMain?: boolean | undefined
  children: ReactNode
}

/** What to do first where a list is empty, as a button for those who may. */
export function FirstStep({ permission, link, isMain = true, children }: FirstStepProps) {
  const { can } = useAccess()
  if (!can(permission)) return null
  return (
    <Link {...link} className={buttonClass({ variant: isMain ? 'primary' : 'secondary' })}>
      {children}
    </Link>
  )
}

/** From nothing to the first departure: a tour, then its dates. */
export const scheduleLink = linkOptions({ to: '/tours/all', search: { schedule: 'open' } })
