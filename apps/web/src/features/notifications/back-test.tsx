import { useQuery } from '@tanstack/react-query'
import { backTestGuestRule, type GuestEvent } from '@tour-ops/contract/notifications/guest-rules'
import type { RuleAudience } from '@tour-ops/contract/notifications/rule-audience'
import type { RuleConditions } from '@tour-ops/contract/notifications/rule-conditions'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'

interface BackTestProps {
  event: GuestEvent
  /** Left out: its own. */
  setting?: number | undefined
  /** Left out: its own. */
  audience?: RuleAudience | undefined
  /** Left out: its own. */
  conditions?: RuleConditions | undefined
  /** What the rule has sent in the same days. */
  sent: number
}

/** What a rule would have written lately; nothing where it is what was sent, or where nobody knows. */
export function BackTest({ event, setting, audience, conditions, sent }: BackTestProps) {
  const { data } = useQuery({
    ...callQuery(backTestGuestRule, {
      event,
      ...(setting !== undefined && { setting }),
      ...(audience && { audience }),
      ...(conditions && { conditions }),
    }),
    placeholderData: (before) => before,
  })
  const count = data?.written7d
  if (count == null || count === sent) return null
  return <span className="block text-ink-2">{m.notifications_rules_would_have({ count })}</span>
}
