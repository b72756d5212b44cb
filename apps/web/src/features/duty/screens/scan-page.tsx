import { ChevronLeft, Flashlight, Keyboard } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { m } from '../../../paraglide/messages.js'
import { formatTime } from '../../../ui/format.ts'
import { Sheet } from '../components/sheet.tsx'
import { guestWith, mayCheckIn } from '../rules/guest-list.ts'
import { stopOfCheckIn } from '../rules/guest-marks.ts'
import { partiesFound, type Ticket, ticketOf } from '../rules/tickets.ts'
import { phone, usePhone } from '../store/phone.ts'
import type { ShownDay, ShownDeparture, ShownParty } from '../store/shown-day.ts'
import { ScanResult } from './scan-result.tsx'
import { type CameraState, useScanner } from './use-scanner.ts'

/** The same ticket in front of the camera is one scan; after this time without it, it is another one, ms. */
const sameTicketMs = 3000

const cameraLabels: Record<Exclude<CameraState, 'on'>, () => string> = {
  asking: m.duty_camera_asking,
  denied: m.duty_camera_denied,
  missing: m.duty_camera_missing,
}

/** Scans tickets one after the other; the answer is within reach of the thumb, and the phone shakes once for yes and twice for no. */
export function ScanPage({ day, shown }: { day: ShownDay; shown: ShownDeparture }) {
  const office = usePhone((state) => state.day)
  const [ticket, setTicket] = useState<Ticket | null>(null)
  const [isTyping, setTyping] = useState(false)
  const last = useRef({ text: '', at: 0 })
  useEffect(() => {
    document.title = m.duty_scan()
  }, [])
  const take = (text: string, method: 'scan' | 'tap') => {
    if (!office) return
    const found = ticketOf(text, shown.id, day, office)
    const isRight = found.kind === 'here'
    navigator.vibrate?.(isRight ? 120 : [120, 90, 120])
    setTicket(found)
    // A booking of one needs no second tap; of several the first one may be alone at the door.
    if (isRight && method === 'scan') checkInFirst(shown, found.party)
  }
  const { camera, setVideo, switchTorch } = useScanner((text) => {
    const now = Date.now()
    const isSame = text === last.current.text && now - last.current.at < sameTicketMs
    last.current = { text, at: now }
    if (!isSame) take(text, 'scan')
  })
  const { counts, departure } = shown
  const time = formatTime(departure.startsAt, departure.timeZone)
  const isWrong = ticket !== null && ticket.kind !== 'here'
  return (
    <div className="duty duty-scan">
      <video ref={setVideo} muted playsInline aria-label={m.duty_camera_view()} />
      <header className="duty-head duty-scan-head" style={{ background: '#000a' }}>
        <Link href={`/tours/${shown.id}/guests`} className="duty-icon -ms-3" aria-label={m.duty_back()}>
          <ChevronLeft size={24} aria-hidden />
        </Link>
        <div className="min-w-0 flex-1">
          <h1 className="duty-title" style={{ color: '#fff' }}>
            {m.duty_scan()}
          </h1>
          <p className="duty-small">
            {counts.aboard} {m.duty_in_of({ total: counts.total })} · {departure.tourName} {time}
          </p>
        </div>
        {switchTorch && (
          <button type="button" className="duty-icon" aria-label={m.duty_torch()} onClick={switchTorch}>
            <Flashlight size={22} aria-hidden />
          </button>
        )}
      </header>
      <main className="flex flex-1 flex-col">
        {camera === 'on' ? (
          <div className="duty-frame" data-is={isWrong ? 'wrong' : undefined} />
        ) : (
          <p className="m-auto max-w-80 p-6 text-center" role="status">
            {cameraLabels[camera]()}
          </p>
        )}
        <div className="duty-scan-foot">
          <div role="status" aria-live="assertive">
            {ticket && <ScanResult day={day} shown={shown} ticket={ticket} onNext={() => setTicket(null)} />}
          </div>
          <button type="button" className="duty-btn duty-btn-tall" onClick={() => setTyping(true)}>
            <Keyboard size={22} aria-hidden />
            {m.duty_type_code()}
          </button>
        </div>
      </main>
      {isTyping && (
        <TypeSheet
          shown={shown}
          onClose={() => setTyping(false)}
          onTyped={(text) => {
            setTyping(false)
            take(text, 'tap')
          }}
        />
      )}
    </div>
  )
}

/** Checks in the first of the party that is not in: one ticket is often one of several people. */
function checkInFirst(shown: ShownDeparture, party: ShownParty): void {
  const open = party.entries.find(mayCheckIn)
  const group = open && guestWith(shown, open.id)?.group
  if (!open || !group || !shown.can.mark) return
  const event = { kind: 'check_in', departureId: shown.id, entryId: open.id, method: 'scan' } as const
  void phone().record({ ...event, stopId: stopOfCheckIn(shown, group) })
}

interface TypeSheetProps {
  shown: ShownDeparture
  onClose: () => void
  onTyped: (text: string) => void
}

/** The code or a name, typed; parties that fit are offered while it is typed. */
function TypeSheet({ shown, onClose, onTyped }: TypeSheetProps) {
  const [typed, setTyped] = useState('')
  return (
    <Sheet title={m.duty_type_label()} onClose={onClose}>
      <form
        className="grid gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() !== '') onTyped(typed)
        }}
      >
        <input
          className="duty-field"
          aria-label={m.duty_type_label()}
          placeholder="AUR-7K3Q9D"
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={120}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <button type="submit" className="duty-btn duty-btn-main">
          {m.duty_type_find()}
        </button>
      </form>
      <div className="duty-rows">
        {partiesFound(shown, typed).map((party) => (
          <button key={party.bookingId} type="button" className="duty-row" onClick={() => onTyped(party.bookingRef)}>
            <span className="min-w-0 flex-1">
              <b className="block text-ink-strong">{party.entries.map(({ name }) => name).join(', ')}</b>
              <span className="duty-small duty-quiet">{party.bookingRef}</span>
            </span>
          </button>
        ))}
      </div>
    </Sheet>
  )
}
