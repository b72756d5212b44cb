import { copyLink, type LinkRow, pauseLink, revokeLink } from '@tour-ops/contract/links/links'
import { publicAddressOf } from '../../app/public-address.ts'
import { useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { toast } from '../../ui/toast.tsx'
import { refusalText } from '../../errors/refusal-text.ts'

/** A dialog about one link. */
export type LinkQuestion =
  | { kind: 'accesses' | 'send' | 'extend' | 'passcode' | 'rotate' | 'revoke'; link: LinkRow }
  | { kind: 'address'; link: LinkRow; address: string }

const say = (error: unknown) => toast(refusalText(error))

/** What can be done with one link at once; what needs asking goes through `ask`. */
export function useLinkActions(ask: (question: LinkQuestion | null) => void) {
  const pause = useCall(pauseLink, {
    onSuccess: (_, { paused }) => toast(paused ? m.links_paused_toast() : m.links_resumed_toast()),
    onError: say,
  })
  const copy = useCall(copyLink)
  const revoke = useCall(revokeLink)
  return {
    isPending: pause.isPending || copy.isPending || revoke.isPending,
    setPaused: ({ id, version }: LinkRow, paused: boolean) => pause.mutate({ id, version, paused }),
    /** Another address of the same link; `rotate` ends the older ones. */
    copy: (link: LinkRow, rotate: boolean) =>
      copy
        .mutateAsync({ id: link.id, rotate })
        .then(({ path }) => ask({ kind: 'address', link, address: publicAddressOf(path) }), say),
    revoke: (ids: readonly string[], onDone: () => void) =>
      revoke.mutateAsync({ ids: [...ids] }).then(({ changed }) => {
        toast(m.links_links_revoked({ count: changed }))
        onDone()
      }, say),
  }
}

export type LinkActions = ReturnType<typeof useLinkActions>
