import type { PartyOfCancelled, proposalAnswers } from '@tour-ops/contract/bookings/proposals'
import { CircleCheck, Clock, Undo2, UserX, type LucideIcon } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { BookingLink } from '../../records/booking-link.tsx'
import { Chip, type Tone } from '../../ui/chip.tsx'
import { Select, type SelectOption } from '../../ui/field.tsx'
import { formatDayTimeThere, formatLanguage, formatMoment } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { Menu } from '../../ui/menu.tsx'

interface ProposalRowProps {
  party: PartyOfCancelled
  isEditable: boolean
  choice: string
  options: readonly SelectOption[]
  amount: string
  isPending: boolean
  onChoose: (choice: string) => void
  /** Proposes something else to a party that has not answered. */
  onAgain: () => void
  onAnswer: (answer: (typeof proposalAnswers)[number]) => void
}

/** A party: who, how to reach it, and what is proposed or was answered. */
export function ProposalRow({ party, isEditable, choice, options, amount, ...rest }: ProposalRowProps) {
  const { id, contact, bookingRef, pax } = party
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2">
      <div className="min-w-[200px] flex-1">
        <BookingLink id={id} className="font-medium text-ink-strong hover:underline">
          <bdi>{contact.name}</bdi>
        </BookingLink>{' '}
        <Ltr className="text-ink-2">{bookingRef}</Ltr>
        <p className="text-xs text-ink-2">
          {[m.departures_propose_seats({ count: pax }), contact.locale && formatLanguage(contact.locale)]
            .filter(Boolean)
            .join(' · ')}
          {contact.phone && (
            <>
              {' · '}
              <a className="link num" href={`tel:${contact.phone}`}>
                <Ltr>{contact.phone}</Ltr>
              </a>
            </>
          )}
          {contact.email === null && ` · ${m.departures_propose_no_email()}`}
        </p>
      </div>
      {isEditable ? (
        <div className="w-full min-w-0 sm:w-[300px]">
          <Select
            aria-label={m.departures_propose_for({ name: contact.name })}
            value={choice}
            placeholder={m.departures_propose_not_now()}
            onChange={(event) => rest.onChoose(event.target.value)}
            options={options}
          />
          <p className="num mt-0.5 text-xs text-ink-2">
            {[party.state === 'expired' && m.departures_propose_state_expired(), amount].filter(Boolean).join(' · ')}
          </p>
        </div>
      ) : (
        <Answered party={party} {...rest} />
      )}
    </li>
  )
}

type AnsweredProps = Pick<ProposalRowProps, 'party' | 'isPending' | 'onAgain' | 'onAnswer'>

function Answered({ party, isPending, onAgain, onAnswer }: AnsweredProps) {
  const { state, proposal, departure, contact } = party
  const { tone, icon, text } = looks[state]
  return (
    <div className="flex w-full flex-wrap items-center gap-2 sm:w-[300px]">
      <div className="min-w-0 flex-1">
        <Chip tone={tone} icon={icon}>
          {text()}
        </Chip>
        <p className="text-xs text-ink-2">
          {[
            departure && formatDayTimeThere(departure.startsAt, departure.timeZone),
            state === 'open' && !departure && m.departures_propose_refund(),
            state === 'open' && proposal && m.departures_propose_until({ time: formatMoment(proposal.expiresAt) }),
            proposal?.answeredBy === 'office' && m.departures_propose_by_office(),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      {state === 'open' && (
        <Menu
          label={m.departures_propose_answer_for({ name: contact.name })}
          look={{ size: 'sm' }}
          chevron
          align="end"
          disabled={isPending}
          items={[
            ...(departure
              ? [{ key: 'accept', label: m.departures_propose_accept(), onSelect: () => onAnswer('accept') }]
              : []),
            { key: 'refund', label: m.departures_propose_refund(), onSelect: () => onAnswer('refund') },
            { key: 'again', label: m.departures_propose_again(), onSelect: onAgain },
          ]}
        >
          {m.departures_propose_answer()}
        </Menu>
      )}
    </div>
  )
}

const looks: Readonly<Record<PartyOfCancelled['state'], { tone: Tone; icon: LucideIcon; text: () => string }>> = {
  unasked: { tone: 'neutral', icon: UserX, text: m.departures_propose_state_unasked },
  open: { tone: 'info', icon: Clock, text: m.departures_propose_state_open },
  expired: { tone: 'warn', icon: UserX, text: m.departures_propose_state_expired },
  moved: { tone: 'ok', icon: CircleCheck, text: m.departures_propose_state_moved },
  refunded: { tone: 'neutral', icon: Undo2, text: m.departures_propose_state_refunded },
  settled: { tone: 'neutral', icon: CircleCheck, text: m.departures_propose_state_settled },
}
