import { confirmParty, type SharedParty } from '@tour-ops/contract/links/shared-page'
import { CircleCheck, Pencil } from 'lucide-react'
import { useState } from 'react'
import { currentBackend } from '../../../backend/port.ts'
import { refusalText } from '../../../errors/refusal-text.ts'
import { m } from '../../../paraglide/messages.js'
import { dietLabel } from '../../../records/traveler-flags.tsx'
import { Button } from '../../../ui/button.tsx'
import { formatDayTime, formatList } from '../../../ui/format.ts'
import { loadLater, onIntent } from '../../../ui/load-later.tsx'
import type { PartyFormProps, Person, WholeParty } from './guest-party-form.tsx'
import { useGuestAct } from './use-guest-act.ts'

const PartyForm = loadLater<PartyFormProps>(async () => (await import('./guest-party-form.tsx')).PartyForm)

interface GuestPartyProps {
  token: string
  /** A member looks: nothing can be pressed. */
  isPreview: boolean
  party: SharedParty
  /** On the link of a traveler, who reads of nobody else. */
  isOneGuest: boolean
  /** Of the tour: until when things can be changed is said in its time. */
  timeZone: string
}

/** Names and diet of the party: a guest says that they are right, or corrects them, until the day before. */
export function GuestParty({ token, isPreview, party, isOneGuest, timeZone }: GuestPartyProps) {
  const { people, openSeats, isOpen, until, confirmedAt } = party
  const [isChanging, setChanging] = useState(false)
  const { mutate, isPending, error } = useGuestAct(
    token,
    (whole: WholeParty) =>
      currentBackend().call(confirmParty, {
        token,
        people: [...whole.people],
        named: [...whole.named],
        openSeats: openSeats.length,
      }),
    (after) => ({ party: after }),
  )
  const confirm = (whole: WholeParty) => mutate(whole, { onSuccess: () => setChanging(false) })
  return (
    <section className="share-block" aria-labelledby="guest-party" aria-busy={isPending}>
      <fieldset className="contents" disabled={isPreview}>
        <h2 id="guest-party" className="mb-3 text-[17px] font-semibold text-ink-strong">
          {titleOf(party, isOneGuest)}
        </h2>
        {isChanging && isOpen ? (
          <PartyForm
            people={people}
            openSeats={openSeats}
            pending={isPending}
            wasRefused={error !== null}
            onSave={confirm}
            onCancel={() => setChanging(false)}
          />
        ) : (
          <>
            <ul className="grid gap-3">
              {people.map((person) => (
                <li key={person.id}>
                  <b className="block text-[17px] font-semibold break-words text-ink-strong">
                    <bdi>{[person.firstName, person.lastName].filter(Boolean).join(' ')}</bdi>
                  </b>
                  <span className="break-words text-ink-2">{dietText(person)}</span>
                </li>
              ))}
              {openSeats.length > 0 && (
                <li className="font-medium text-warn">{m.links_party_unnamed({ count: openSeats.length })}</li>
              )}
            </ul>
            {isOpen && (
              <div className="mt-4 grid gap-2">
                {confirmedAt === null && people.length > 0 && (
                  <Button
                    size="lg"
                    variant="primary"
                    icon={CircleCheck}
                    className="w-full"
                    pending={isPending}
                    onClick={() => confirm({ people, named: [] })}
                  >
                    {m.links_party_right()}
                  </Button>
                )}
                <Button
                  size="lg"
                  icon={Pencil}
                  className="w-full"
                  {...onIntent(PartyForm)}
                  onClick={() => setChanging(true)}
                >
                  {openSeats.length > 0 ? m.links_party_name() : m.links_party_change()}
                </Button>
              </div>
            )}
          </>
        )}
        {error && (
          <p role="alert" className="mt-3 font-medium text-bad">
            {refusalText(error)}
          </p>
        )}
        <p role="status" className="mt-3 text-ink-2">
          {confirmedAt !== null && m.links_party_confirmed({ time: formatDayTime(confirmedAt, timeZone) })}{' '}
          {isOpen && until !== null
            ? m.links_party_until({ time: formatDayTime(until, timeZone) })
            : m.links_party_closed()}
        </p>
      </fieldset>
    </section>
  )
}

function titleOf({ isOpen, people, confirmedAt }: SharedParty, isOneGuest: boolean): string {
  if (!isOpen || confirmedAt !== null) return isOneGuest ? m.links_own_details() : m.links_guest_your_party()
  return people.length > 0 ? m.links_party_title() : m.links_party_who()
}

const dietText = ({ dietary, dietaryNote }: Person): string =>
  formatList([...dietary.map(dietLabel), ...(dietaryNote ? [dietaryNote] : [])]) || m.links_party_no_diet()
