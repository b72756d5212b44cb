import type { GuestEvent } from '@tour-ops/contract/notifications/guest-rules'
import { isEverybody, type RuleAudience } from '@tour-ops/contract/notifications/rule-audience'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { saleChannelLabel } from '../../records/sale-channel-labels.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { formatList } from '../../ui/format.ts'
import { loadLater, onIntent } from '../../ui/load-later.tsx'

const AudienceDialog = loadLater(async () => (await import('./audience-dialog.tsx')).AudienceDialog)

/** `2 tours · Sold by: Phone`. */
export function audienceText(audience: RuleAudience): string {
  if (isEverybody(audience)) return m.notifications_rules_everybody()
  const { tourIds, channels } = audience
  const tours = tourIds.length > 0 && m.notifications_rules_of_tours({ count: tourIds.length })
  const sold =
    channels.length > 0 && m.notifications_rules_sold({ channels: formatList(channels.map(saleChannelLabel)) })
  return [tours, sold].filter(Boolean).join(' · ')
}

interface RuleAudienceProps {
  event: GuestEvent
  audience: RuleAudience
  /** What the rule has sent in the last seven days. */
  sent: number
  mayChange: boolean
}

/** Which guests a rule is for. */
export function RuleAudienceCard({ event, audience, sent, mayChange }: RuleAudienceProps) {
  const [isChanging, setChanging] = useState(false)
  return (
    <Card
      title={m.notifications_rules_who()}
      actions={
        mayChange && (
          <Button {...onIntent(AudienceDialog)} onClick={() => setChanging(true)}>
            {m.notifications_rules_who_change()}
          </Button>
        )
      }
    >
      <p className="border-t border-line px-4 py-3">{audienceText(audience)}</p>
      {isChanging && (
        <AudienceDialog event={event} audience={audience} sent={sent} onClose={() => setChanging(false)} />
      )}
    </Card>
  )
}
