import { m } from '../paraglide/messages.js'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { closeConsent, decideConsent, useAnalyticsConsent } from './analytics-consent.ts'

/** Asks whether uses of the product may be counted; both answers weigh the same. */
export function ConsentDialog() {
  const isAsking = useAnalyticsConsent((state) => state.isAsking)
  return (
    <Dialog
      open={isAsking}
      onClose={closeConsent}
      title={m.app_consent_title()}
      actions={
        <>
          <Button onClick={() => decideConsent('denied')}>{m.app_consent_deny()}</Button>
          <Button onClick={() => decideConsent('granted')}>{m.app_consent_grant()}</Button>
        </>
      }
    >
      <p>{m.app_consent_what()}</p>
      <p className="mt-3">{m.app_consent_when()}</p>
    </Dialog>
  )
}
