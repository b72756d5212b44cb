import { useLocation } from '@tanstack/react-router'
import type { Out } from '@tour-ops/contract/callable'
import { redeemPairing } from '@tour-ops/contract/tracking/devices'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '../../backend/queries.ts'
import { entryProblem, refusalText } from '../../errors/refusal-text.ts'
import { FormProblem, IdentityCard } from '../../identity/widgets/identity-card.tsx'
import { m } from '../../paraglide/messages.js'
import { Button, buttonClass } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Field, TextInput } from '../../ui/field.tsx'

/**
 * On the phone: turns a code into the address that its app sends to. The code comes in the address of the QR code, or is typed; nothing
 * happens before a press, since opening an address must not use it up.
 */
export function PairPage() {
  const scanned = useLocation({ select: ({ hash }) => hash })
  const [typed, setTyped] = useState<string | null>(null)
  const redeem = useCall(redeemPairing)
  const code = typed ?? scanned
  if (redeem.data) return <Paired paired={redeem.data} />
  return (
    <IdentityCard title={m.tracking_phone_title()} lead={m.tracking_phone_lead()}>
      <form
        className="mt-5 flex flex-col gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          redeem.mutate({ code })
        }}
      >
        <Field label={m.tracking_pair_code()} error={entryProblem(redeem.error, 'code')}>
          <TextInput
            value={code}
            dir="ltr"
            maxLength={20}
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <FormProblem>{redeem.error && !entryProblem(redeem.error, 'code') && refusalText(redeem.error)}</FormProblem>
        <Button type="submit" variant="primary" pending={redeem.isPending}>
          {m.tracking_phone_pair()}
        </Button>
        <p className="text-ink-2">{m.tracking_phone_privacy()}</p>
      </form>
    </IdentityCard>
  )
}

type PairedPhone = Out<typeof redeemPairing>

function Paired({ paired: { url, subjectName, organizationName, reportIntervalS } }: { paired: PairedPhone }) {
  return (
    <IdentityCard
      title={
        <span className="flex items-center gap-2.5">
          <CircleCheck size={22} className="text-ok" aria-hidden />
          {m.tracking_phone_paired()}
        </span>
      }
      lead={m.tracking_phone_paired_lead({ name: subjectName, organization: organizationName })}
    >
      <div className="mt-5 flex flex-col gap-4">
        <Field label={m.tracking_phone_address()} hint={m.tracking_phone_address_hint()}>
          <TextInput readOnly dir="ltr" value={url} onFocus={(event) => event.target.select()} />
        </Field>
        <Button variant="primary" onClick={() => void copyText(url, m.tracking_phone_copied())}>
          {m.tracking_phone_copy()}
        </Button>
        <a className={buttonClass()} href={ownTracksSetUp(url, reportIntervalS)}>
          {m.tracking_phone_owntracks()}
        </a>
        <p className="text-ink-2">{m.tracking_phone_once()}</p>
        <p className="text-ink-2">{m.tracking_phone_privacy()}</p>
      </div>
    </IdentityCard>
  )
}

/** Configures OwnTracks for HTTP (mode 3) at the address. Source: owntracks.org/booklet/features/remoteconfig. */
function ownTracksSetUp(url: string, locatorInterval: number): string {
  const configuration = { _type: 'configuration', mode: 3, url, auth: false, monitoring: 2, locatorInterval }
  return `owntracks:///config?inline=${encodeURIComponent(btoa(JSON.stringify(configuration)))}`
}
