import { longestDutyHours } from '@tour-ops/contract/tracking/duty-terms'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { m } from '../../../paraglide/messages.js'
import { formatTime } from '../../../ui/format.ts'
import { ConfirmSheet, Sheet } from '../components/sheet.tsx'
import { asksConsent, type Privacy, privacyOf, type Unseen } from '../rules/privacy.ts'
import { type EventDraft, phone, usePhone } from '../store/phone.ts'
import type { ShownDay } from '../store/shown-day.ts'

const duty = (to: 'begin' | 'end' | 'break' | 'resume', departureId: string | null = null): EventDraft => ({
  kind: 'duty',
  to,
  departureId,
})
const record = (...drafts: EventDraft[]) => void phone().record(...drafts)

/** Whether the office sees this phone, always in sight, and what changes it. */
export function PrivacyLine({ day, departureId }: { day: ShownDay; departureId: string | null }) {
  const tracking = usePhone((state) => state.tracking)
  const [asked, setAsked] = useState<'begin' | 'agree' | 'end' | 'again' | null>(null)
  const privacy = privacyOf(day.duty, tracking)
  const close = () => setAsked(null)
  const begin = () => (day.duty && asksConsent(day.duty) ? setAsked('begin') : record(duty('begin', departureId)))
  const answer = (agrees: boolean) => {
    record({ kind: 'consent', agrees }, ...(asked === 'begin' ? [duty('begin', departureId)] : []))
    close()
  }
  const isSeen = privacy.kind === 'seen'
  const askedAt = day.duty?.session?.askedAt
  const Icon = isSeen ? Eye : EyeOff
  return (
    <div className="flex flex-wrap items-center gap-x-3 border-b border-line ps-4 pe-2 pb-1">
      <Icon size={20} className={isSeen ? 'shrink-0 text-ok' : 'shrink-0 text-ink-2'} aria-hidden />
      <p className="duty-small min-w-0 flex-1 basis-48 text-ink">
        {wordsOf(privacy)}
        {askedAt && ` · ${m.duty_asked({ time: formatTime(askedAt) })}`}
      </p>
      <span className="ms-auto flex flex-wrap gap-x-1">
        {privacy.kind === 'off-duty' && <Button label={m.duty_begin()} onClick={begin} />}
        {privacy.kind === 'unseen' && privacy.because === 'consent' && (
          <Button label={m.duty_agree()} onClick={() => setAsked('agree')} />
        )}
        {privacy.kind === 'unseen' && againText(privacy.because) !== undefined && (
          <Button label={m.duty_again()} onClick={() => setAsked('again')} />
        )}
        {isSeen && <Button label={m.duty_break()} onClick={() => record(duty('break'))} />}
        {privacy.kind === 'break' && <Button label={m.duty_resume()} onClick={() => record(duty('resume'))} />}
        {privacy.kind !== 'none' && privacy.kind !== 'off-duty' && (
          <Button label={m.duty_end()} onClick={() => setAsked('end')} />
        )}
      </span>
      {asked === 'end' && (
        <ConfirmSheet
          title={m.duty_end_title()}
          text={m.duty_end_text()}
          confirm={m.duty_end()}
          onClose={close}
          onConfirm={() => {
            record(duty('end'))
            close()
          }}
        />
      )}
      {asked === 'again' && privacy.kind === 'unseen' && (
        <ConfirmSheet
          title={m.duty_again_title()}
          text={againText(privacy.because)}
          confirm={m.duty_again()}
          onClose={close}
          onConfirm={() => {
            void phone().reportHere()
            close()
          }}
        />
      )}
      {(asked === 'begin' || asked === 'agree') && (
        <ConsentSheet
          organization={day.organization.name}
          isBeginning={asked === 'begin'}
          onClose={close}
          onAnswer={answer}
        />
      )}
    </div>
  )
}

const Button = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <button type="button" className="duty-link px-2" onClick={onClick}>
    {label}
  </button>
)

function wordsOf(privacy: Privacy): string {
  switch (privacy.kind) {
    case 'none':
      return m.duty_link_privacy()
    case 'off-duty':
      return m.duty_off_duty()
    case 'break':
      return m.duty_on_break({ time: formatTime(privacy.since) })
    case 'seen':
      return m.duty_seen_since({ time: formatTime(privacy.since) })
    case 'unseen':
      return `${m.duty_on_duty_since({ time: formatTime(privacy.since) })}. ${unseenLabels[privacy.because]()}`
  }
}

const unseenLabels: Record<Unseen, () => string> = {
  consent: m.duty_not_seen_consent,
  denied: m.duty_not_seen_denied,
  unavailable: m.duty_not_seen_unavailable,
  by_office: m.duty_not_seen_by_office,
  by_other_phone: m.duty_not_seen_by_other_phone,
  unknown: m.duty_not_seen_any_more,
}

/** What follows when this phone is seen again; undefined where that is not what is missing. */
function againText(because: Unseen): string | undefined {
  if (because === 'by_office') return m.duty_again_by_office()
  return because === 'by_other_phone' || because === 'unknown' ? m.duty_again_by_other_phone() : undefined
}

interface ConsentSheetProps {
  organization: string
  isBeginning: boolean
  onClose: () => void
  onAnswer: (agrees: boolean) => void
}

/** What is taken, when, who sees it, when it ends; before the first position, and again when the text has changed. */
const ConsentSheet = ({ organization, isBeginning, onClose, onAnswer }: ConsentSheetProps) => (
  <Sheet title={m.duty_consent_title()} onClose={onClose}>
    <ul className="grid list-disc gap-2 ps-5">
      <li>{m.duty_consent_what()}</li>
      <li>{m.duty_consent_when()}</li>
      <li>{m.duty_consent_who({ organization })}</li>
      <li>{m.duty_consent_end({ count: longestDutyHours })}</li>
    </ul>
    <div className="grid gap-2">
      <button type="button" className="duty-btn duty-btn-main" onClick={() => onAnswer(true)}>
        {isBeginning ? m.duty_consent_yes() : m.duty_agree()}
      </button>
      <button type="button" className="duty-btn" onClick={() => (isBeginning ? onAnswer(false) : onClose())}>
        {isBeginning ? m.duty_consent_no() : m.duty_consent_decline()}
      </button>
    </div>
  </Sheet>
)
