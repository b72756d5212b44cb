import { usualEmergencyNumber } from '@tour-ops/contract/duty/duty-terms'
import { LifeBuoy, MapPin, MessageSquare, Phone, ThumbsUp } from 'lucide-react'
import { useEffect, useState } from 'react'
import { m } from '../../../paraglide/messages.js'
import { useNow } from '../../../ui/clock.ts'
import { formatPosition } from '../../../ui/format-position.ts'
import { DutyPage } from '../components/page.tsx'
import { helpCallOf, isCalling, type ShownHelpCall } from '../rules/help-call.ts'
import { currentDeparture } from '../rules/my-day.ts'
import { phone, usePhone } from '../store/phone.ts'
import type { ShownDay, ShownDeparture } from '../store/shown-day.ts'
import { helpState } from './help-state.ts'

/** While somebody waits for the office to take their call, the phone asks this often. */
const askAgainMs = 5_000
/** A phone that has found no place by then sends none. */
const placeWithinMs = 30_000

type Place = NonNullable<ReturnType<typeof usePhone.getState>['place']>

/** Where the phone is by now, once; on duty or not, since its person calls for help. */
function findPlace(found: (place: Place) => void): void {
  if (!('geolocation' in navigator)) return
  navigator.geolocation.getCurrentPosition(
    ({ coords, timestamp }) =>
      found({ lat: coords.latitude, lng: coords.longitude, at: new Date(timestamp).toISOString() }),
    // the call itself has gone out, and says what it knows
    () => undefined,
    { enableHighAccuracy: true, timeout: placeWithinMs, maximumAge: 10_000 },
  )
}

/** Nothing waits for the place: the call goes out with what the phone knows, the rest follows. */
function callOffice(departureId: string | null, onPlace: (place: Place) => void): void {
  const { place } = usePhone.getState()
  void phone().record({ kind: 'help', departureId, place })
  findPlace((now) => {
    onPlace(now)
    void phone().record({ kind: 'help_place', place: now })
  })
}

interface HelpPageProps {
  day: ShownDay
  /** The departure whose run sheet leads here; undefined from elsewhere: then it is about the present one. */
  shown: ShownDeparture | undefined
}

/** The call for help: one press, the way to people who are nearer, and what became of it. See docs/screens.md, "The guide's phone". */
export function HelpPage({ day, shown }: HelpPageProps) {
  const now = useNow(15_000)
  const tour = shown ?? currentDeparture(day, now)
  const kept = usePhone((state) => state.kept)
  const person = usePhone((state) => state.person)
  const known = usePhone((state) => state.place)
  const [found, setFound] = useState<Place>()
  const call = helpCallOf(day.help, kept)
  const calling = isCalling(call)
  useEffect(() => {
    if (!calling) return
    const timer = setInterval(() => void phone().refresh(), askAgainMs)
    return () => clearInterval(timer)
  }, [calling])
  const emergency = day.organization.emergencyNumber ?? usualEmergencyNumber
  return (
    <DutyPage title={m.duty_help()} context={tour?.departure.tourName} back={shown ? `/tours/${shown.id}` : '/'}>
      <div className="grid gap-4 p-4">
        <a href={`tel:${emergency}`} className="duty-note tone-bad items-center">
          <Phone size={20} aria-hidden />
          {m.duty_incident_danger({ number: emergency })}
        </a>
        {call && <State call={call} isSignedOut={person === 'expired'} />}
        {!calling && (
          <p>
            {m.duty_help_text()} <span className="duty-quiet">{m.duty_help_place()}</span>
          </p>
        )}
        <div className="grid gap-3">
          <button
            type="button"
            className={calling ? 'duty-btn' : 'duty-btn duty-btn-help'}
            onClick={() => callOffice(tour?.id ?? null, setFound)}
          >
            <LifeBuoy size={22} aria-hidden />
            {calling ? m.duty_help_again() : m.duty_help_call()}
          </button>
          {calling && (
            <button type="button" className="duty-btn" onClick={() => void phone().record({ kind: 'help_over' })}>
              <ThumbsUp size={20} aria-hidden />
              {m.duty_help_over()}
            </button>
          )}
          <OfficeWays day={day} tour={tour} place={found ?? known} />
        </div>
      </div>
    </DutyPage>
  )
}

const State = ({ call, isSignedOut }: { call: ShownHelpCall; isSignedOut: boolean }) => (
  <div role="status" className={isCalling(call) ? 'duty-note tone-warn' : 'duty-note'}>
    <LifeBuoy size={20} aria-hidden />
    <p className="min-w-0 flex-1">{helpState(call, isSignedOut)}</p>
  </div>
)

interface OfficeWaysProps {
  day: ShownDay
  tour: ShownDeparture | undefined
  place: Place | null
}

/** A call, and a text, which gets through where there is hardly a signal. */
function OfficeWays({ day, tour, place }: OfficeWaysProps) {
  const number = day.organization.phone
  if (number === null) return null
  const words = [m.duty_help_sms({ name: day.person.name }), tour?.departure.tourName, place && formatPosition(place)]
  return (
    <>
      <a href={`tel:${number}`} className="duty-btn">
        <Phone size={20} aria-hidden />
        {m.duty_call_office()}
      </a>
      <a href={`sms:${number}?body=${encodeURIComponent(words.filter(Boolean).join('. '))}`} className="duty-btn">
        <MessageSquare size={20} aria-hidden />
        {m.duty_help_text_office()}
      </a>
      {place && (
        <p className="duty-small duty-quiet flex items-center gap-2">
          <MapPin size={16} aria-hidden />
          {m.duty_help_here({ place: formatPosition(place) })}
        </p>
      )}
    </>
  )
}
