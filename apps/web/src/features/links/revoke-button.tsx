import { maxLinksAtOnce, revokeLink } from '@tour-ops/contract/links/links'
import { CircleX } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { refusalText } from '../../errors/refusal-text.ts'
import type { BulkResult } from './bulk-result-dialog.tsx'
import { bulkTitle } from './link-labels.ts'

interface RevokeButtonProps {
  ids: readonly string[]
  onDone: () => void
  onResult: (result: BulkResult) => void
}

/** Ends several links at once, after a question. */
export function RevokeButton({ ids, onDone, onResult }: RevokeButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const revoke = useCall(revokeLink, {
    onSuccess: ({ changed, skipped }) => {
      const title = bulkTitle(changed, m.links_links_revoked)
      if (changed > 0) toast(title)
      if (skipped.length > 0) onResult({ title, state: 'active', issued: [], skipped })
      setAsking(false)
      onDone()
    },
  })
  return (
    <>
      <Button
        icon={CircleX}
        disabledReason={ids.length > maxLinksAtOnce ? m.links_links_too_many({ max: maxLinksAtOnce }) : undefined}
        onClick={() => setAsking(true)}
      >
        {m.links_revoke()}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => revoke.mutate({ ids: [...ids] })}
        title={m.links_links_revoke_title({ count: ids.length })}
        confirmLabel={m.links_revoke()}
        danger
        pending={revoke.isPending}
        error={revoke.error ? refusalText(revoke.error) : undefined}
      >
        {m.links_revoke_text()}
      </ConfirmDialog>
    </>
  )
}
