import type { Displayed, DisplayedStatus } from '@tour-ops/contract/departures/displayed-status'
import {
  CircleCheck,
  CircleDashed,
  CircleX,
  Clock,
  Flag as FlagIcon,
  LogIn,
  OctagonX,
  PencilLine,
  TriangleAlert,
  UserX,
  X,
  type LucideIcon,
} from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { m } from '../paraglide/messages.js'
import { classNames } from './class-names.ts'
import { Ltr } from './ltr.tsx'

export type Tone = 'neutral' | 'info' | 'ok' | 'warn' | 'bad' | 'gap'

interface ChipProps {
  tone: Tone
  icon: LucideIcon
  children: ReactNode
  /** 28 px high for boards and heads. */
  large?: boolean | undefined
  struck?: boolean | undefined
}

/** Icon + word on a tint, for what needs a person. Neutral states use `Calm`. */
export function Chip({ tone, icon: Icon, children, large, struck }: ChipProps) {
  return (
    <span
      className={classNames('status', `tone-${tone}`, large && 'status-lg')}
      data-struck={struck || undefined}
      data-whole
    >
      <Icon size={large ? 16 : 14} strokeWidth={2.25} aria-hidden />
      {children}
    </span>
  )
}

interface CalmProps {
  icon: LucideIcon
  tone?: 'neutral' | 'ok' | undefined
  children: ReactNode
}

/** A neutral state in a table: icon + word without a tint, so that tinted chips are the ones that need somebody. */
export function Calm({ icon: Icon, tone = 'neutral', children }: CalmProps) {
  return (
    <span className="calm" data-tone={tone} data-whole>
      <Icon size={15} strokeWidth={2.25} aria-hidden />
      {children}
    </span>
  )
}

/** What `displayedStatus` of the contract says, and the gap "no guide" that only the office sees. */
export type ChipStatus = DisplayedStatus | 'unassigned'

const looks: Record<ChipStatus, { tone: Tone; icon: LucideIcon; label: () => string }> = {
  draft: { tone: 'neutral', icon: PencilLine, label: m.ui_status_draft },
  scheduled: { tone: 'neutral', icon: CircleDashed, label: m.ui_status_scheduled },
  guaranteed: { tone: 'neutral', icon: CircleCheck, label: m.ui_status_guaranteed },
  boarding: { tone: 'info', icon: LogIn, label: m.ui_status_boarding },
  on_time: { tone: 'ok', icon: CircleCheck, label: m.ui_status_on_time },
  delayed: { tone: 'warn', icon: Clock, label: m.ui_status_delayed },
  at_risk: { tone: 'bad', icon: TriangleAlert, label: m.ui_status_at_risk },
  unassigned: { tone: 'gap', icon: UserX, label: m.ui_status_unassigned },
  completed: { tone: 'neutral', icon: FlagIcon, label: m.ui_status_completed },
  cancelled: { tone: 'neutral', icon: CircleX, label: m.ui_status_cancelled },
  aborted: { tone: 'neutral', icon: OctagonX, label: m.ui_status_aborted },
}

/** The word of a departure status, for titles and menus. */
export const statusLabel = (status: ChipStatus): string => looks[status].label()
/** The icon of a departure status. */
export const statusIcon = (status: ChipStatus): LucideIcon => looks[status].icon

export interface StatusChipProps {
  status: ChipStatus | Pick<Displayed, 'status' | 'delayMin'>
  large?: boolean | undefined
}

/** The status of a departure as boards show it, with the minutes late where there are any. */
export function StatusChip({ status, large }: StatusChipProps) {
  const shown = typeof status === 'string' ? { status, delayMin: null } : status
  const { tone, icon, label } = looks[shown.status]
  const struck = shown.status === 'cancelled' || shown.status === 'aborted'
  return (
    <Chip tone={tone} icon={icon} large={large} struck={struck}>
      {label()}
      {shown.delayMin !== null && <Ltr>{m.ui_status_minutes_late({ minutes: shown.delayMin })}</Ltr>}
    </Chip>
  )
}

export interface FlagProps {
  /** `warn` for allergies, documents and possible duplicates; neutral for preference and mobility. */
  tone?: Tone | undefined
  icon?: LucideIcon | undefined
  children: ReactNode
}

/** A small square mark about a person or thing. */
export function Flag({ tone = 'neutral', icon: Icon, children }: FlagProps) {
  return (
    <span className={classNames('flag', `tone-${tone}`)}>
      {Icon && <Icon size={13} strokeWidth={2} className="shrink-0" aria-hidden />}
      <span className="truncate">{children}</span>
    </span>
  )
}

export interface FlagItem {
  label: string
  tone?: Tone | undefined
  icon?: LucideIcon | undefined
}

/** Up to `max` flags, then `+n` with the rest in its name. */
export function Flags({ flags, max = 2 }: { flags: readonly FlagItem[]; max?: number }) {
  const rest = flags.slice(max).map((flag) => flag.label)
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      {flags.slice(0, max).map((flag) => (
        <Flag key={flag.label} tone={flag.tone} icon={flag.icon}>
          {flag.label}
        </Flag>
      ))}
      {rest.length > 0 && (
        <span className="num shrink-0 text-xs text-ink-2" title={rest.join(', ')}>
          <Ltr>
            <span aria-hidden>+{rest.length}</span>
          </Ltr>
          <span className="sr-only">{rest.join(', ')}</span>
        </span>
      )}
    </span>
  )
}

/** Flags in a column of a table: two where it is wide enough for them, else one, whose word may be cut before the number of the others is. */
export function FlagsInColumn({ flags }: { flags: readonly FlagItem[] }) {
  const narrow = <Flags flags={flags} max={1} />
  if (flags.length < 2) return <span className="flags-narrow block">{narrow}</span>
  return (
    <span className="@container block">
      <span className="@max-[260px]:hidden">
        <Flags flags={flags} />
      </span>
      <span className="flags-narrow @min-[260px]:hidden">{narrow}</span>
    </span>
  )
}

interface TagProps {
  children: ReactNode
  onRemove?: (() => void) | undefined
  /** Name of the remove button; needed with `onRemove`. */
  removeLabel?: string | undefined
}

/** A free label, removable where the person may change it. */
export function Tag({ children, onRemove, removeLabel }: TagProps) {
  return (
    <span className="flag">
      {children}
      {onRemove && (
        <button type="button" className="-me-1 rounded p-0.5" aria-label={removeLabel} onClick={onRemove}>
          <X size={12} aria-hidden />
        </button>
      )}
    </span>
  )
}

export interface ChoiceChipProps extends Omit<ComponentProps<'button'>, 'children'> {
  pressed: boolean
  count?: number | undefined
  children: ReactNode
}

/** A pressable chip, one of a group of filters: `All 18`, `To come 3`. */
export function ChoiceChip({ pressed, count, children, className, ...rest }: ChoiceChipProps) {
  return (
    <button type="button" {...rest} className={classNames('chip', className)} aria-pressed={pressed}>
      {children}
      {count !== undefined && <span className="count num">{count}</span>}
    </button>
  )
}

/** Removes what its chip stands for; at the end of a `.chip` with `pe-1`. */
export function ChipRemove({ label, onRemove, disabled }: { label: string; onRemove: () => void; disabled?: boolean }) {
  return (
    <button
      type="button"
      className="grid size-6 place-items-center rounded-full"
      aria-label={label}
      disabled={disabled}
      onClick={onRemove}
    >
      <X size={13} aria-hidden />
    </button>
  )
}
