import { answerRollCall, type SharedPage, type SharedRollCall } from '@tour-ops/contract/links/shared-page'
import { LifeBuoy, type LucideIcon, ShieldCheck } from 'lucide-react'
import { currentBackend } from '../../../backend/port.ts'
import { refusalText } from '../../../errors/refusal-text.ts'
import { m } from '../../../paraglide/messages.js'
import { formatTime } from '../../../ui/format.ts'
import { useGuestAct } from './use-guest-act.ts'

type Person = SharedRollCall['people'][number]
type Answer = NonNullable<Person['answer']>

interface GuestRollCallProps {
  token: string
  page: SharedPage
  rollCall: SharedRollCall
}

/** "Are you safe?", above everything else while the office asks it. Each answer can be changed; a call for help alerts the office at once. */
export function GuestRollCall({ token, page, rollCall }: GuestRollCallProps) {
  const { send, error, isPending } = useAnswer(token)
  const { people, question, askedAt } = rollCall
  const everybody = people.map(({ id }) => id)
  const isAllSafe = people.every(({ answer }) => answer === 'safe')
  const needsHelp = people.some(({ answer }) => answer === 'need_help')
  return (
    <section className="share-block" aria-labelledby="roll-call">
      <p className="text-ink-2">
        {m.links_roll_asked({
          time: formatTime(askedAt, page.departure.timeZone),
          organization: page.organization.name,
        })}
      </p>
      <h2 id="roll-call" className="text-[30px] leading-9 font-semibold tracking-tight text-ink-strong">
        {m.links_roll_title()}
      </h2>
      {question !== null && <p className="mt-1 text-lg whitespace-pre-line">{question}</p>}
      <div className="mt-4 grid gap-3" aria-busy={isPending}>
        <BigAnswer
          answer="safe"
          icon={ShieldCheck}
          pressed={isAllSafe}
          title={people.length === 1 ? m.links_roll_safe() : m.links_roll_all_safe()}
          text={m.links_roll_safe_text()}
          onPress={() => send(everybody, 'safe')}
        />
        {people.length === 1 ? (
          <BigAnswer
            answer="need_help"
            icon={LifeBuoy}
            pressed={needsHelp}
            title={m.links_roll_need_help()}
            text={m.links_roll_need_help_text()}
            onPress={() => send(everybody, 'need_help')}
          />
        ) : (
          <ul className="grid gap-2">
            {people.map((person) => (
              <PersonAnswer key={person.id} person={person} onAnswer={(answer) => send([person.id], answer)} />
            ))}
          </ul>
        )}
      </div>
      <p role="status" className="mt-3 min-h-6 font-medium text-ink-strong">
        {needsHelp ? m.links_roll_help_heard() : isAllSafe ? m.links_roll_thanks() : ''}
      </p>
      {error && (
        <p role="alert" className="font-medium text-bad">
          {m.links_roll_not_sent({ reason: refusalText(error) })}
        </p>
      )}
      <p className="mt-2 text-ink-2">{m.links_guest_emergency()}</p>
    </section>
  )
}

interface BigAnswerProps {
  answer: Answer
  icon: LucideIcon
  pressed: boolean
  title: string
  text: string
  onPress: () => void
}

function BigAnswer({ answer, icon: Icon, pressed, title, text, onPress }: BigAnswerProps) {
  return (
    <button type="button" className="share-answer" data-answer={answer} aria-pressed={pressed} onClick={onPress}>
      <Icon size={36} aria-hidden className="shrink-0" />
      <span>
        <b className="block text-[22px] leading-7 font-semibold">{title}</b>
        <span>{text}</span>
      </span>
    </button>
  )
}

const answers = [
  { answer: 'safe', word: m.links_roll_is_safe },
  { answer: 'need_help', word: m.links_roll_needs_help },
] as const

function PersonAnswer({ person, onAnswer }: { person: Person; onAnswer: (answer: Answer) => void }) {
  return (
    <li className="flex items-center gap-2 border-t border-line pt-2">
      <b className="min-w-0 flex-1 truncate text-[17px] font-semibold text-ink-strong">{person.firstName}</b>
      {answers.map(({ answer, word }) => (
        <button
          key={answer}
          type="button"
          className="share-choice"
          data-answer={answer}
          aria-pressed={person.answer === answer}
          aria-label={`${person.firstName}: ${word()}`}
          onClick={() => onAnswer(answer)}
        >
          {word()}
        </button>
      ))}
    </li>
  )
}

/** Sends an answer and shows what the office has then. */
function useAnswer(token: string) {
  const { mutate, error, isPending } = useGuestAct(
    token,
    ({ people, answer }: { people: string[]; answer: Answer }) =>
      currentBackend().call(answerRollCall, { token, people, answer }),
    (rollCall) => ({ rollCall }),
  )
  return { error, isPending, send: (people: string[], answer: Answer) => mutate({ people, answer }) }
}
