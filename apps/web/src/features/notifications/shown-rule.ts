import type { In } from '@tour-ops/contract/callable'
import type { setGuestRule } from '@tour-ops/contract/notifications/guest-rules'

type Change = In<typeof setGuestRule>
type Changed = Pick<Required<Change>, 'event' | 'isOn' | 'escalateTo'> & { readonly setting: number | null }

/** A rule as it is shown while a change of it is being saved; "nobody" is a value like any other. */
export const withChange = <Rule extends Changed>(rule: Rule, change: Change | undefined): Rule =>
  rule.event === change?.event
    ? {
        ...rule,
        isOn: change.isOn ?? rule.isOn,
        setting: change.setting ?? rule.setting,
        escalateTo: change.escalateTo === undefined ? rule.escalateTo : change.escalateTo,
      }
    : rule
