import type { SharedPage } from '@tour-ops/contract/links/shared-page'
import { Check, CircleX, Hourglass, MapPin, Navigation } from 'lucide-react'
import { useState } from 'react'
import { navigateTo } from '../../../addresses/navigate-to.ts'
import { QrCode } from '../../../identity/widgets/security/qr-code.tsx'
import { m } from '../../../paraglide/messages.js'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { formatDayTime, formatLanguage, formatList, formatMoney, formatTime } from '../../../ui/format.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import { GuestDocuments } from './guest-documents.tsx'
import { GuestEmails } from './guest-emails.tsx'
import { GuestFeedback } from './guest-feedback.tsx'
import { GuestOffer } from './guest-offer.tsx'
import { GuestParty } from './guest-party.tsx'
import { GuestProposal } from './guest-proposal.tsx'
import { GuestNews } from './guest-news.tsx'
import { GuestThread } from './guest-thread.tsx'
import { dayText, headlineOf } from './headline.ts'
import { Block, ShareFoot } from './share-block.tsx'
import { isOneDay, StopList } from './stop-list.tsx'
import { WaySketch } from './way-sketch.tsx'

interface GuestPageProps {
  page: SharedPage
  /** The server's clock now, milliseconds. */
  now: number
  token: string
}

/** What a guest needs now on top, the rest of the day below, a phone number at the thumb. */
export function GuestPage({ page, now, token }: GuestPageProps) {
  const { party, offer, proposal, departure, whatToBring, guests, organization, kind, state, isPreview } = page
  const isOff = state === 'cancelled' || state === 'not_booked' || state === 'waiting'
  const bring = (whatToBring ?? '')
    .split(/[\n;]+/)
    .map((line) => line.trim())
    .filter(Boolean)
  // a conversation stands high, an offer to begin one low; it keeps its place while somebody writes
  const [hasWritten] = useState((page.thread?.messages.length ?? 0) > 0)
  const thread = page.thread && (
    <GuestThread
      token={token}
      isPreview={isPreview}
      thread={page.thread}
      organization={organization.name}
      timeZone={departure.timeZone}
    />
  )
  return (
    <>
      {state === 'during' && <WaySketch page={page} now={now} />}
      <div className="share-block">
        {state === 'during' ? (
          // The head of the page says it already, and what counts now is the time.
          <h1 className="sr-only">{departure.tourName}</h1>
        ) : (
          <>
            <p className="text-lg text-ink-2">{dayText(departure.localDate, departure.timeZone, now)}</p>
            <h1 className="text-[26px] leading-8 font-semibold tracking-tight text-ink-strong">{departure.tourName}</h1>
          </>
        )}
        <Headline page={page} now={now} />
      </div>
      <GuestOffer token={token} isPreview={isPreview} offer={offer} timeZone={departure.timeZone} />
      <GuestProposal token={token} isPreview={isPreview} proposal={proposal} timeZone={departure.timeZone} />
      {(state === 'before' || state === 'during') && <Meeting page={page} />}
      {page.news.length > 0 && (
        <GuestNews news={page.news} organization={organization.name} timeZone={departure.timeZone} />
      )}
      {page.feedback && (
        <GuestFeedback token={token} isPreview={isPreview} feedback={page.feedback} organization={organization.name} />
      )}
      {party && state === 'before' && (
        <GuestParty
          token={token}
          isPreview={isPreview}
          party={party}
          isOneGuest={kind === 'traveler'}
          timeZone={departure.timeZone}
        />
      )}
      {page.payment && state === 'before' && (
        <Block title={m.links_payment_title()}>
          <Ltr className="block text-lg font-semibold text-ink-strong">
            {formatMoney(page.payment.dueMinor, page.payment.currency)}
          </Ltr>
          <p className="break-words whitespace-pre-line text-ink-2">
            <bdi>{page.payment.note}</bdi>
          </p>
        </Block>
      )}
      <GuestDocuments token={token} documents={page.documents} />
      {hasWritten && thread}
      {page.stops.length > 0 && !isOff && (
        <Block title={isOneDay(departure) ? m.links_guest_the_day() : m.links_guest_day_by_day()} flush>
          <StopList page={page} now={now} />
        </Block>
      )}
      {page.crew.length > 0 && !isOff && (
        <Block>
          <ul className="grid gap-3">
            {page.crew.map(({ firstName, role, languages }) => (
              <li key={`${firstName} ${role}`} className="flex items-center gap-3">
                <Avatar name={firstName} size={44} tinted />
                <span className="min-w-0">
                  <b className="block text-[17px] font-semibold text-ink-strong">{crewText(firstName, role)}</b>
                  {languages.length > 0 && (
                    <span className="text-ink-2">{formatList(languages.map(formatLanguage))}</span>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </Block>
      )}
      {bring.length > 0 && state === 'before' && (
        <Block title={m.links_guest_bring()}>
          <ul className="grid gap-2 sm:grid-cols-2">
            {bring.map((line) => (
              <li key={line} className="flex items-start gap-2.5">
                <Check size={18} className="mt-0.5 shrink-0 text-ink-2" aria-hidden />
                {line}
              </li>
            ))}
          </ul>
        </Block>
      )}
      {guests.length > 0 && !isOff && !(party && state === 'before') && (
        <Block
          title={kind === 'booking_guest' ? m.links_guest_your_party() : m.links_guest_guests({ count: guests.length })}
        >
          <p>{formatList(guests.map(({ firstName }) => firstName))}</p>
        </Block>
      )}
      {page.bookingRef !== null && (state === 'before' || state === 'during') && <Ticket code={page.bookingRef} />}
      {page.ownTours.length > 0 && (
        <Block title={m.links_own_tours()}>
          <ul className="grid gap-3">
            {page.ownTours.map((tour) => (
              <li key={`${tour.startsAt} ${tour.tourName}`}>
                <b className="block text-[17px] font-semibold text-ink-strong">{tour.tourName}</b>
                <span className={tour.isCancelled ? 'text-ink-2 line-through' : 'text-ink-2'}>
                  {formatDayTime(tour.startsAt, tour.timeZone)}
                  {tour.placeName && ` · ${tour.placeName}`}
                </span>{' '}
                {tour.isCancelled && <span className="font-medium text-bad">{m.links_own_tour_cancelled()}</span>}
              </li>
            ))}
          </ul>
        </Block>
      )}
      {!hasWritten && thread}
      {page.emails && <GuestEmails token={token} isPreview={isPreview} emails={page.emails} />}
      <ShareFoot page={page} timeZone={departure.timeZone} />
    </>
  )
}

/** What the crew scans when the party boards, and the same to be read out. */
const Ticket = ({ code }: { code: string }) => (
  <Block title={m.links_guest_ticket()}>
    <div className="flex flex-wrap items-center gap-4">
      <QrCode label={m.links_guest_ticket_code({ code })} text={code} />
      <p className="min-w-0 flex-1 basis-40">
        <Ltr className="block text-lg font-semibold text-ink-strong">{code}</Ltr>
        <span className="text-ink-2">{m.links_guest_ticket_text()}</span>
      </p>
    </div>
  </Block>
)

const crewText = (name: string, role: SharedPage['crew'][number]['role']): string => {
  switch (role) {
    case 'driver':
      return m.links_guest_your_driver({ name })
    case 'tour_leader':
      return m.links_guest_your_leader({ name })
    case 'porter':
      return m.links_guest_your_porter({ name })
    default:
      return m.links_guest_your_guide({ name })
  }
}

/** The one time that counts now, and how long it is until then. */
function Headline({ page, now }: Omit<GuestPageProps, 'token'>) {
  const { lead, time, label, notes, isLate } = headlineOf(page, now)
  if (time === null) {
    return (
      <p className="mt-3 flex items-center gap-2 text-lg font-semibold text-ink-strong" role="status">
        {(page.state === 'cancelled' || page.state === 'not_booked') && (
          <CircleX size={22} className="shrink-0 text-bad" aria-hidden />
        )}
        {page.state === 'waiting' && <Hourglass size={22} className="shrink-0 text-ink-2" aria-hidden />}
        {label}
      </p>
    )
  }
  return (
    <div className={page.state === 'during' ? undefined : 'mt-4'} role="status">
      {lead && <p className="text-lg text-ink-2">{lead}</p>}
      <div className="flex flex-wrap items-end gap-x-4 gap-y-1">
        <Ltr className="text-[56px] leading-[56px] font-semibold tracking-tight text-ink-strong">
          {formatTime(time, page.departure.timeZone)}
        </Ltr>
        <p className="pb-1 text-lg">
          <span className="block text-ink-strong">{label}</span>
          {notes.map((note) => (
            <span key={note} className={isLate ? 'block font-medium text-warn' : 'block text-ink-2'}>
              {note}
            </span>
          ))}
        </p>
      </div>
    </div>
  )
}

/** Where to be; with the way there when the sender shows places. */
function Meeting({ page: { meeting, meetingNote, departure, state, offer } }: { page: SharedPage }) {
  if (!meeting || meeting.isPast) return null
  const { lat, lng } = meeting
  const notes = [meeting.address, meetingNote, departure.vehicleName].filter((note) => note !== null && note !== '')
  return (
    <div className="share-block pt-0">
      <div className="flex gap-3 rounded-2xl border border-line px-4 py-3">
        <MapPin size={22} className="mt-0.5 shrink-0 text-brand" aria-hidden />
        <div className="min-w-0">
          <h2 className="text-[17px] font-semibold text-ink-strong">{meeting.placeName}</h2>
          {notes.map((note) => (
            <p key={note} className="text-ink-2">
              {note}
            </p>
          ))}
        </div>
      </div>
      {lat !== null && lng !== null && (
        <Button
          variant={state === 'before' && !offer ? 'primary' : 'secondary'}
          size="lg"
          icon={Navigation}
          className="mt-3 w-full"
          onClick={() => navigateTo(directionsTo(lat, lng), { external: true })}
        >
          {m.links_guest_directions()}
        </Button>
      )}
    </div>
  )
}

/** Opened only when the guest asks for it. */
const directionsTo = (lat: number, lng: number): string =>
  `https://www.openstreetmap.org/directions?engine=fossgis_osrm_foot&to=${lat}%2C${lng}`
