import { useQuery } from '@tanstack/react-query'
import { previewDigest, sendDigestToMe } from '@tour-ops/contract/overview/daily-digest'
import { useState } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { LinkedText } from '../../records/linked-text.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { formatList } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { noticeChannelLabels } from './notice-channel-labels.ts'

/** What the digest of the office says as of now, and the way to get it at once. */
export function DigestPreview() {
  const [isShown, setShown] = useState(false)
  const send = useCall(sendDigestToMe, {
    onSuccess: ({ channels }) =>
      toast(
        channels.length === 0
          ? m.settings_digest_nothing()
          : m.settings_digest_sent({ where: formatList(channels.map((channel) => noticeChannelLabels[channel]())) }),
      ),
  })
  return (
    <div className="border-t border-line px-4 py-3 lg:px-5">
      {send.error && (
        <Banner tone="bad" role="alert">
          {refusalText(send.error)}
        </Banner>
      )}
      <div className="flex flex-wrap gap-2">
        <Button aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? m.settings_digest_hide() : m.settings_digest_show()}
        </Button>
        <Button pending={send.isPending} onClick={() => send.mutate({})}>
          {m.settings_digest_send()}
        </Button>
      </div>
      {isShown && <Preview />}
    </div>
  )
}

function Preview() {
  const { data, error } = useQuery(callQuery(previewDigest, {}))
  if (error)
    return (
      <Banner tone="bad" role="alert">
        {refusalText(error)}
      </Banner>
    )
  if (!data) return <SkeletonRows rows={6} />
  const { message } = data
  if (!message) return <p className="pt-3 text-ink-2">{m.settings_digest_nothing()}</p>
  return (
    <section aria-label={m.settings_digest_reads()} className="mt-3 rounded-lg border border-line px-4 py-3">
      <p className="pb-3 font-semibold text-ink-strong">{message.subject}</p>
      <p className="leading-6 [overflow-wrap:anywhere] whitespace-pre-line text-ink-strong">
        <LinkedText text={message.body} />
      </p>
    </section>
  )
}
