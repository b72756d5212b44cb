import type { GuestEvent } from '@tour-ops/contract/notifications/guest-rules'
import { isEverybody, type RuleAudience } from '@tour-ops/contract/notifications/rule-audience'
import { isUnconditional, type RuleConditions } from '@tour-ops/contract/notifications/rule-conditions'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { saleChannelLabel } from '../../records/sale-channel-labels.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { formatList } from '../../ui/format.ts'
import { loadLater, onIntent } from '../../ui/load-later.tsx'

const AudienceDialog = loadLater(async () => (await import('./audience-dialog.tsx')).AudienceDialog)

/** `2 tours · Sold by: Phone · Parties of 6 or more who still owe something`. */
export function audienceText(audience: RuleAudience, conditions: RuleConditions): string {
  if (isEverybody(audience) && isUnconditional(conditions)) return m.notifications_rules_everybody()
  const { tourIds, channels } = audience
  const tours = tourIds.length > 0 && m.notifications_rules_of_tours({ count: tourIds.length })
  const sold =
    channels.length > 0 && m.notifications_rules_sold({ channels: formatList(channels.map(saleChannelLabel)) })
  return [tours, sold, conditionsText(conditions)].filter(Boolean).join(' · ')
}

/** Undefined where there are none. */
function conditionsText({ owes, ...size }: RuleConditions): string | undefined {
  const parties = sizeText(size)
  if (owes === 'any') return parties
  if (owes === 'something')
    return parties ? m.notifications_rules_parties_owing({ parties }) : m.notifications_rules_owing()
  return parties ? m.notifications_rules_parties_owing_nothing({ parties }) : m.notifications_rules_owing_nothing()
}

function sizeText({ atLeast, atMost }: Pick<RuleConditions, 'atLeast' | 'atMost'>): string | undefined {
  if (atLeast === null) return atMost === null ? undefined : m.notifications_rules_parties_to({ count: atMost })
  if (atMost === null) return m.notifications_rules_parties_from({ count: atLeast })
  return atLeast === atMost
    ? m.notifications_rules_parties_of({ count: atLeast })
    : m.notifications_rules_parties_between({ from: atLeast, to: atMost })
}

interface RuleAudienceProps {
  event: GuestEvent
  audience: RuleAudience
  conditions: RuleConditions
  /** What the rule has sent in the last seven days. */
  sent: number
  mayChange: boolean
}

/** Which guests a rule is for. */
export function RuleAudienceCard({ event, audience, conditions, sent, mayChange }: RuleAudienceProps) {
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
      <p className="border-t border-line px-4 py-3">{audienceText(audience, conditions)}</p>
      {isChanging && (
        <AudienceDialog
          event={event}
          audience={audience}
          conditions={conditions}
          sent={sent}
          onClose={() => setChanging(false)}
        />
      )}
    </Card>
  )
}
