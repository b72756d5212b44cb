import { Link } from '@tanstack/react-router'
import type { Incident } from '@tour-ops/contract/monitoring/incidents'
import {
  askRollCall,
  recordRollCallAnswer,
  type RollCall,
  rollCallAnswers,
} from '@tour-ops/contract/monitoring/roll-calls'
import { CircleDashed, LifeBuoy, type LucideIcon, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Chip, type Tone } from '../../ui/chip.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { formatMoment } from '../../ui/format.ts'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'

type Answer = (typeof rollCallAnswers)[number]
type Person = RollCall['people'][number]

/** `word`: of one person. */
export const answerLooks: Record<Answer, { tone: Tone; icon: LucideIcon; label: () => string }> = {
  need_help: { tone: 'bad', icon: LifeBuoy, label: m.monitoring_roll_needs_help },
  no_answer: { tone: 'neutral', icon: CircleDashed, label: m.monitoring_roll_no_answer },
  safe: { tone: 'ok', icon: ShieldCheck, label: m.monitoring_roll_safe },
}

interface RollCallSectionProps {
  incident: Incident
  timeZone: string
}

/** Who of the departure is safe: asked with one press, answered on guests' links or written down by the office. */
export function RollCallSection({ incident, timeZone }: RollCallSectionProps) {
  const mayManage = useAccess().can('incidents:manage') && incident.closedAt === null
  const [isAsking, setAsking] = useState(false)
  const { rollCall, departure } = incident
  if (!rollCall && (!mayManage || !departure)) return null
  return (
    <section aria-label={m.monitoring_roll_title()} className="border-b border-line pb-4">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-4 pb-2 lg:px-6">
        <h3 className="font-semibold">{m.monitoring_roll_title()}</h3>
        {rollCall && (
          <span className="text-ink-2">
            {m.monitoring_roll_asked({
              time: formatMoment(rollCall.askedAt, timeZone),
              name: rollCall.askedByName ?? '',
            })}
          </span>
        )}
        {mayManage && departure && (
          <Button size="sm" icon={LifeBuoy} className="ms-auto" onClick={() => setAsking(true)}>
            {rollCall ? m.monitoring_roll_ask_again() : m.monitoring_roll_ask()}
          </Button>
        )}
      </header>
      {rollCall && (
        <>
          <Counts people={rollCall.people} />
          <ul className="mt-2 divide-y divide-line border-t border-line">
            {rollCall.people.map((person) => (
              <PersonRow key={person.id} person={person} timeZone={timeZone} mayManage={mayManage} />
            ))}
          </ul>
        </>
      )}
      {isAsking && <AskDialog incident={incident} onClose={() => setAsking(false)} />}
    </section>
  )
}

function Counts({ people }: { people: readonly Person[] }) {
  return (
    <dl className="grid grid-cols-3 gap-2 px-4 lg:px-6">
      {rollCallAnswers.map((answer) => {
        const { tone, icon: Icon } = answerLooks[answer]
        const word = answer === 'need_help' ? m.monitoring_roll_need_help : answerLooks[answer].label
        const count = people.filter((person) => person.answer === answer).length
        return (
          <div key={answer} className={`note flex flex-col-reverse px-3 py-2 tone-${count > 0 ? tone : 'neutral'}`}>
            <dt className="flex items-center gap-1.5 text-xs font-medium">
              <Icon size={14} aria-hidden />
              {word()}
            </dt>
            <dd className="num text-xl font-semibold">{count}</dd>
          </div>
        )
      })}
    </dl>
  )
}

interface PersonRowProps {
  person: Person
  timeZone: string
  mayManage: boolean
}

function PersonRow({ person, timeZone, mayManage }: PersonRowProps) {
  const record = useCall(recordRollCallAnswer, { onError: (error) => toast(refusalText(error)) })
  const { tone, icon, label } = answerLooks[person.answer]
  return (
    <li className="flex items-center gap-3 px-4 py-2 lg:px-6">
      <span className="min-w-0">
        <PersonName person={person} />
        <span className="block text-xs text-ink-2">{sourceText(person, timeZone)}</span>
      </span>
      <span className="ms-auto flex shrink-0 items-center gap-2">
        <Chip tone={tone} icon={icon}>
          {label()}
        </Chip>
        {mayManage && (
          <Menu
            label={m.monitoring_roll_record({ name: person.name })}
            align="end"
            disabled={record.isPending}
            look={{ size: 'sm', variant: 'ghost' }}
            chevron
            items={rollCallAnswers.map((answer) => ({
              key: answer,
              label: answerLooks[answer].label(),
              icon: answerLooks[answer].icon,
              checked: answer === person.answer,
              onSelect: () => record.mutate({ id: person.id, version: person.version, answer }),
            }))}
          />
        )}
      </span>
    </li>
  )
}

function PersonName({ person: { travelerId, name } }: { person: Person }) {
  const { can } = useAccess()
  if (travelerId === null || !can('travelers:read')) return <b className="font-medium text-ink-strong">{name}</b>
  return (
    <Link to="/travelers/details/$id" params={{ id: travelerId }} className="link font-medium">
      {name}
    </Link>
  )
}

/** Who answered and when; or how somebody who has not answered can be reached. */
export function sourceText({ answeredBy, answeredAt, hasLink, travelerId }: Person, timeZone: string): string {
  if (answeredBy !== null && answeredAt !== null) {
    const time = formatMoment(answeredAt, timeZone)
    return answeredBy === 'guest' ? m.monitoring_roll_by_guest({ time }) : m.monitoring_roll_by_office({ time })
  }
  if (travelerId === null) return m.monitoring_roll_crew()
  return hasLink ? m.monitoring_roll_has_link() : m.monitoring_roll_call_them()
}

function AskDialog({ incident, onClose }: Pick<RollCallSectionProps, 'incident'> & { onClose: () => void }) {
  const [question, setQuestion] = useState(incident.rollCall?.question ?? '')
  const [isTold, setTold] = useState(true)
  const ask = useCall(askRollCall, {
    onSuccess: ({ people, written }) => {
      toast(`${m.monitoring_roll_asked_toast({ count: people })} · ${m.monitoring_roll_written({ count: written })}`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={m.monitoring_roll_ask_title()}
      confirmLabel={incident.rollCall ? m.monitoring_roll_ask_again() : m.monitoring_roll_ask()}
      pending={ask.isPending}
      error={ask.error ? refusalText(ask.error) : undefined}
      onConfirm={() => ask.mutate({ incidentId: incident.id, question: question.trim() || null, isTold })}
    >
      <div className="grid gap-3">
        <p>{m.monitoring_roll_ask_text()}</p>
        <Field label={m.monitoring_roll_question()} hint={m.monitoring_roll_question_hint()}>
          <TextArea rows={3} value={question} maxLength={300} onChange={(event) => setQuestion(event.target.value)} />
        </Field>
        <Checkbox
          className="coarse:min-h-11 coarse:items-center"
          label={m.monitoring_roll_write()}
          checked={isTold}
          onChange={(event) => setTold(event.target.checked)}
        />
      </div>
    </ConfirmDialog>
  )
}
