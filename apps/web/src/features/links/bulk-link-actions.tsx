import { maxLinksAtOnce, pauseLinks, rotateLinks } from '@tour-ops/contract/links/links'
import { CirclePause, CirclePlay, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { publicAddressOf } from '../../app/public-address.ts'
import { useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import type { BulkResult } from './bulk-result-dialog.tsx'
import { bulkTitle } from './link-labels.ts'
import { RevokeButton } from './revoke-button.tsx'

interface BulkLinkActionsProps {
  ids: readonly string[]
  onDone: () => void
  onResult: (result: BulkResult) => void
}

/** What can be done with several links at once: pause and resume with an undo, replace their addresses, revoke. */
export function BulkLinkActions({ ids, onDone, onResult }: BulkLinkActionsProps) {
  const [isAsking, setAsking] = useState(false)
  const pause = useCall(pauseLinks, { onError: (error) => toast(refusalText(error)) })
  const setPaused = async (paused: boolean, chosen: readonly string[], isUndo: boolean) => {
    // a refusal is told by `onError`
    const answer = await pause.mutateAsync({ ids: [...chosen], paused }).catch(() => undefined)
    if (!answer) return
    const { changed, skipped } = answer
    const title = bulkTitle(changed.length, paused ? m.links_bulk_paused : m.links_bulk_resumed)
    const undo = { label: m.ui_undo(), onPress: () => void setPaused(!paused, changed, true) }
    if (changed.length > 0) toast(title, isUndo ? undefined : undo)
    if (skipped.length > 0) onResult({ title, state: paused ? 'paused' : 'active', issued: [], skipped })
    if (!isUndo) onDone()
  }
  const rotate = useCall(rotateLinks, {
    onSuccess: ({ issued, skipped }) => {
      setAsking(false)
      onResult({
        title: bulkTitle(issued.length, m.links_bulk_rotated),
        state: 'active',
        issued: issued.map(({ label, path }) => ({ label, address: publicAddressOf(path) })),
        skipped,
      })
      onDone()
    },
  })
  const tooMany = ids.length > maxLinksAtOnce ? m.links_links_too_many({ max: maxLinksAtOnce }) : undefined
  return (
    <>
      <Button
        icon={CirclePause}
        pending={pause.isPending}
        disabledReason={tooMany}
        onClick={() => void setPaused(true, ids, false)}
      >
        {m.links_pause()}
      </Button>
      <Button
        icon={CirclePlay}
        pending={pause.isPending}
        disabledReason={tooMany}
        onClick={() => void setPaused(false, ids, false)}
      >
        {m.links_resume()}
      </Button>
      <Button icon={RefreshCw} disabledReason={tooMany} onClick={() => setAsking(true)}>
        {m.links_rotate()}
      </Button>
      <RevokeButton ids={ids} onDone={onDone} onResult={onResult} />
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => rotate.mutate({ ids: [...ids] })}
        title={m.links_bulk_rotate_title({ count: ids.length })}
        confirmLabel={m.links_rotate()}
        pending={rotate.isPending}
        error={rotate.error ? refusalText(rotate.error) : undefined}
      >
        {m.links_rotate_text()}
      </ConfirmDialog>
    </>
  )
}
