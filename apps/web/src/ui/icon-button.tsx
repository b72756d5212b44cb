import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  /** Read out and shown as a tooltip: an icon alone says nothing. */
  label: string
  icon: LucideIcon
  iconSize?: number | undefined
  /** 32 px instead of 36. */
  small?: boolean | undefined
  /** A mark over the icon, for instance an unread dot. */
  children?: ReactNode
}

/** A square button that carries only an icon and has a name. */
export function IconButton({ label, icon: Icon, iconSize = 18, small, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames('icon-btn relative', small && 'icon-btn-sm', className)}
      aria-label={label}
      title={rest.title ?? label}
    >
      <Icon size={iconSize} aria-hidden />
      {children}
    </button>
  )
}
