import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { permissions, type Permission } from '@tour-ops/contract/identity/access'
import { listDepartures } from '@tour-ops/contract/departures/departures'
import { explainAccess, type AccessExplanation } from '@tour-ops/contract/members/members'
import {
  CalendarClock,
  CircleCheck,
  CircleDot,
  CircleX,
  Clock,
  Eye,
  History,
  KeyRound,
  Link2,
  UserRound,
  type LucideIcon,
} from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { roleName } from '../../identity/role-name.ts'
import { useLookup } from '../../app/lookup-query.ts'
import { useToday } from '../../app/shell/today.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Combobox, type ComboboxOption } from '../../ui/combobox.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { formatAge, formatDate, formatDayTimeThere, formatList, formatTimeThere, viewerZone } from '../../ui/format.ts'
import { memberRefusal, permissionLabel } from './member-labels.ts'

export interface ExplainAccessProps {
  userId: string
  /** "Ana". */
  firstName: string
}

/** "Why can Ana see this?": yes or no first, then role, right, fact and end. See docs/screens.md, "Members". */
export function ExplainAccess({ userId, firstName }: ExplainAccessProps) {
  const [permission, setPermission] = useState<Permission>('travelers_sensitive:read')
  const [departure, setDeparture] = useState<ComboboxOption | null>(null)
  const input = { userId, permission, ...(departure ? { departureId: departure.value } : {}) }
  const { data, error, refetch } = useQuery({
    ...callQuery(explainAccess, input),
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-label={m.members_why_title({ name: firstName })}>
      <h3 className="mb-2 text-sm font-semibold">{m.members_why_title({ name: firstName })}</h3>
      <div className="flex flex-col gap-2">
        <Field label={m.members_why_what()} hideLabel>
          <Select
            value={permission}
            options={permissions.map((value) => ({ value, label: permissionLabel(value) }))}
            onChange={(event) => setPermission(event.target.value as Permission)}
          />
        </Field>
        <DeparturePicker value={departure} onChange={setDeparture} />
      </div>
      {error && !data && (
        <ErrorPanel message={memberRefusal(error) ?? refusalText(error)} onRetry={() => void refetch()} />
      )}
      {data && <Answer explanation={data} firstName={firstName} />}
    </section>
  )
}

function DeparturePicker(props: { value: ComboboxOption | null; onChange: (value: ComboboxOption | null) => void }) {
  const [q, setQ] = useState('')
  const today = useToday()
  const { data, isLooking } = useLookup(
    callQuery(listDepartures, {
      q,
      ...(q === '' ? { filters: { from: today } } : {}),
      sort: [{ by: 'startsAt' }],
      size: 30,
    }),
  )
  const options = (data?.rows ?? []).map(({ id, tourName, startsAt, timeZone }) => ({
    value: id,
    label: `${tourName}, ${formatDayTimeThere(startsAt, timeZone)}`,
  }))
  return (
    <Field label={m.members_why_departure()} hideLabel>
      <Combobox
        {...props}
        options={options}
        onSearch={setQ}
        loading={isLooking}
        placeholder={m.members_why_departure_placeholder()}
      />
    </Field>
  )
}

const looks: Readonly<Record<AccessExplanation['answer'], { icon: LucideIcon; tone: string; label: () => string }>> = {
  yes: { icon: CircleCheck, tone: 'tone-ok', label: () => m.members_answer_yes() },
  for_now: { icon: CircleCheck, tone: 'tone-ok', label: () => m.members_answer_for_now() },
  depends: { icon: CircleDot, tone: 'tone-warn', label: () => m.members_answer_depends() },
  no: { icon: CircleX, tone: 'tone-neutral', label: () => m.members_answer_no() },
}

function Answer({ explanation, firstName }: { explanation: AccessExplanation; firstName: string }) {
  const { icon: Icon, tone, label } = looks[explanation.answer]
  return (
    <>
      <div
        className={classNames('mt-3 overflow-hidden rounded-lg border border-[var(--fg)]', tone)}
        data-answer={explanation.answer}
        role="status"
      >
        <p className="flex items-center gap-2 bg-[var(--tint)] px-3 py-2 font-semibold text-[var(--fg)]">
          <Icon size={18} aria-hidden />
          {label()}
        </p>
        <ol className="px-3 py-2.5 text-ink">
          {factsOf(explanation, firstName).map((fact) => (
            <Step key={fact.key} fact={fact} />
          ))}
        </ol>
      </div>
      <RecentLooks looks={explanation.recentLooks} />
    </>
  )
}

interface Fact {
  readonly key: string
  readonly icon: LucideIcon
  readonly text: ReactNode
  readonly note?: ReactNode
}

const Step = ({ fact: { icon: Icon, text, note } }: { fact: Fact }) => (
  <li className="relative flex gap-2.5 pb-2.5 last:pb-0 [&:not(:last-child)]:before:absolute [&:not(:last-child)]:before:start-2 [&:not(:last-child)]:before:top-5 [&:not(:last-child)]:before:bottom-0 [&:not(:last-child)]:before:w-px [&:not(:last-child)]:before:bg-line">
    <Icon size={17} className="mt-0.5 shrink-0 text-ink-2" aria-hidden />
    <span className="min-w-0">
      <span className="block text-ink-strong">{text}</span>
      {note !== undefined && <span className="block text-xs text-ink-2">{note}</span>}
    </span>
  </li>
)

const reasons: Readonly<Record<AccessExplanation['reason'], () => string>> = {
  role_grants: () => m.members_reason_role_grants(),
  role_lacks: () => m.members_reason_role_lacks(),
  suspended: () => m.members_reason_suspended(),
  second_factor_missing: () => m.members_reason_second_factor_missing(),
  own_departure: () => m.members_reason_own_departure(),
  other_departure: () => m.members_reason_other_departure(),
  no_staff_record: () => m.members_reason_no_staff_record(),
  near_tour: () => m.members_reason_near_tour(),
  not_near_tour: () => m.members_reason_near_tour(),
  choose_departure: () => m.members_reason_choose_departure(),
}

/** Role, right, fact, end: in the order in which they decide. */
function factsOf(explanation: AccessExplanation, firstName: string): Fact[] {
  const { member, roleGiven, reason, permission, departure, window } = explanation
  const facts: Fact[] = [
    {
      key: 'role',
      icon: UserRound,
      text: m.members_fact_role({ role: roleName(member.role) }),
      note: roleGiven
        ? roleGiven.by
          ? m.members_fact_given_by({ person: roleGiven.by, day: formatDate(roleGiven.at) })
          : m.members_fact_given({ day: formatDate(roleGiven.at) })
        : undefined,
    },
    { key: 'right', icon: KeyRound, text: reasons[reason](), note: <bdi>{permission}</bdi> },
  ]
  if (member.staff && reason.endsWith('own_departure')) {
    facts.push({ key: 'staff', icon: Link2, text: m.members_fact_staff({ name: member.staff.name }) })
  }
  if (departure) facts.push(departureFact(departure))
  if (window) {
    const until = formatDayTimeThere(window.until, departure?.timeZone)
    const from = formatDayTimeThere(window.from, departure?.timeZone)
    facts.push({
      key: 'window',
      icon: Eye,
      text:
        reason === 'near_tour'
          ? departure && isOutLonger(departure)
            ? m.members_fact_until_closed({ name: firstName })
            : m.members_fact_until({ name: firstName, until })
          : m.members_fact_window({ name: firstName, from, until }),
      note: m.members_fact_recorded(),
    })
  }
  return facts
}

type ExplainedDeparture = NonNullable<AccessExplanation['departure']>

/** Still out after the planned end. */
const isOutLonger = ({ isOut, endsAt }: ExplainedDeparture): boolean => isOut && Date.now() >= Date.parse(endsAt)

function departureFact(departure: ExplainedDeparture): Fact {
  const { tourName, startsAt, endsAt, timeZone } = departure
  const now = Date.now()
  const facts = { tour: tourName, age: formatAge(now < Date.parse(startsAt) ? startsAt : endsAt, now) }
  const text =
    now < Date.parse(startsAt)
      ? m.members_fact_starts(facts)
      : now < Date.parse(endsAt)
        ? m.members_fact_running(facts)
        : isOutLonger(departure)
          ? m.members_fact_out(facts)
          : m.members_fact_ended(facts)
  return {
    key: 'departure',
    icon: now < Date.parse(startsAt) ? Clock : CalendarClock,
    text,
    note: formatDayTimeThere(startsAt, timeZone),
  }
}

function RecentLooks({ looks: moments }: { looks: AccessExplanation['recentLooks'] }) {
  if (moments.length === 0) return null
  const times = formatList(moments.slice(0, 4).map((moment) => formatTimeThere(moment, viewerZone())))
  return (
    <p className="mt-2 flex items-center gap-2 text-xs text-ink-2">
      <History size={14} aria-hidden />
      {m.members_looked({ count: moments.length, times })}
    </p>
  )
}
