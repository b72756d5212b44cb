import type { ReactNode } from 'react'
import { phonePaths } from '../../../addresses/phone-paths.ts'
import { m } from '../../../paraglide/messages.js'
import { DutyPage } from '../components/page.tsx'
import { signInPath } from '../components/sign-in-path.ts'
import { useRefusalText } from '../components/use-refusal-text.ts'
import { phone, type PhonePerson, usePhone } from '../store/phone.ts'

const StatePage = ({ text, action }: { text: string; action?: ReactNode }) => (
  <DutyPage title={m.duty_my_day()}>
    <div className="m-auto grid max-w-96 gap-4 p-6 text-center">
      <p>{text}</p>
      {action}
    </div>
  </DutyPage>
)

const Again = ({ text }: { text: string }) => (
  <StatePage
    text={text}
    action={
      <button type="button" className="duty-btn duty-btn-main" onClick={() => void phone().refresh()}>
        {m.duty_try_again()}
      </button>
    }
  />
)

function EarlyLink() {
  const opensAt = usePhone((state) => state.opensAt)
  return <Again text={useRefusalText()('shared_link_early', { opensAt }) ?? m.duty_loading()} />
}

/** What is shown in place of a day: still being read, nobody signed in, nobody of the crew, a link that has ended or does not open yet, no answer. */
export function WithoutDay({ person, isReady }: { person: PhonePerson; isReady: boolean }) {
  if (!isReady || person === 'unknown') return <StatePage text={m.duty_loading()} />
  switch (person) {
    case 'signed-out':
    case 'expired':
      return (
        <StatePage
          text={m.duty_signed_out()}
          action={
            <a href={signInPath} className="duty-btn duty-btn-main">
              {m.duty_sign_in()}
            </a>
          }
        />
      )
    case 'not-staff':
      return (
        <StatePage
          text={m.duty_not_staff()}
          action={
            <a href={phonePaths.overview()} className="duty-btn duty-btn-main">
              {m.duty_to_dashboard()}
            </a>
          }
        />
      )
    case 'link-over':
      return <StatePage text={m.duty_link_over()} />
    case 'link-early':
      return <EarlyLink />
    case 'member':
    case 'link':
      return <Again text={m.duty_no_answer()} />
  }
}
