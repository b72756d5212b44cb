import type { LucideIcon } from 'lucide-react'
import { useId, type ComponentProps, type MouseEvent, type ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
/** 28, 36, 48 and 56 px high; the large two are for phones in the field. */
export type ButtonSize = 'sm' | 'md' | 'lg' | 'xl'

export interface ButtonLook {
  variant?: ButtonVariant | undefined
  size?: ButtonSize | undefined
  className?: string | undefined
}

/** Classes of a button, for a router link that looks like one. */
export const buttonClass = ({ variant = 'secondary', size = 'md', className }: ButtonLook = {}): string =>
  classNames('btn', `btn-${variant}`, size !== 'md' && `btn-${size}`, className)

/** A name for a button with words must contain them, for voice control; otherwise the text is the name. */
export function buttonName(label: string, words: ReactNode): string | undefined {
  if (words === undefined) return label
  return typeof words === 'string' && words !== label && label.includes(words) ? label : undefined
}

export interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  icon?: LucideIcon | undefined
  /** Shows a spinner and ignores presses; the label stays, so nothing moves. */
  pending?: boolean | undefined
  /** Why it cannot be pressed now. Shown next to it and read out; the button stays reachable by keyboard. */
  disabledReason?: string | undefined
  /** The position of the reason. */
  reasonPlace?: 'before' | 'below' | undefined
  children?: ReactNode
}

const iconSize = { sm: 14, md: 16, lg: 18, xl: 20 } as const

/** A push button: at most one `primary` on a screen. */
export function Button(props: ButtonProps) {
  const {
    variant,
    size = 'md',
    className,
    icon: Icon,
    pending,
    disabledReason,
    reasonPlace = 'before',
    ...rest
  } = props
  const { children, onClick, type = 'button', ...attributes } = rest
  const reasonId = useId()
  const blocked = pending === true || disabledReason !== undefined
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (blocked) event.preventDefault()
    else onClick?.(event)
  }
  const button = (
    <button
      {...attributes}
      // eslint-disable-next-line react/button-has-type -- a prop with the default "button"
      type={type}
      className={buttonClass({ variant, size, className })}
      onClick={press}
      aria-busy={pending || undefined}
      aria-disabled={blocked || undefined}
      aria-describedby={disabledReason ? reasonId : attributes['aria-describedby']}
    >
      {pending ? <span className="spinner" aria-hidden /> : Icon && <Icon size={iconSize[size]} aria-hidden />}
      {children}
    </button>
  )
  if (disabledReason === undefined) return button
  return (
    <span
      className={classNames('inline-flex gap-x-3 gap-y-1.5', reasonPlace === 'below' ? 'flex-col' : 'items-center')}
    >
      {reasonPlace === 'below' && button}
      <span id={reasonId} className={classNames('text-xs text-ink-2', reasonPlace === 'below' && 'text-center')}>
        {disabledReason}
      </span>
      {reasonPlace === 'before' && button}
    </span>
  )
}
