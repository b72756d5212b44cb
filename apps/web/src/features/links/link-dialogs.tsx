import { useQuery } from '@tanstack/react-query'
import { isSendable } from '@tour-ops/contract/links/link-messages'
import { extendLink, isLiveLink, linkAccesses, type LinkRow } from '@tour-ops/contract/links/links'
import { CirclePause, CirclePlay, CircleX, Copy, ExternalLink, Hourglass, Lock, Mail, Printer } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { formatDayTimeThere, viewerZone } from '../../ui/format.ts'
import { onIntent } from '../../ui/load-later.tsx'
import { SecretAddressDialog } from '../../ui/secret-address-dialog.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { refusalText } from '../../errors/refusal-text.ts'
import { AddressCode } from './address-code.tsx'
import { type Expiry, ExpiryChoice, expiryMoment } from './expiry-choice.tsx'
import { SendLinkDialog } from './send-link-later.ts'
import { PasscodeDialog } from './passcode-dialog.tsx'
import { takesPasscode } from './link-labels.ts'
import type { LinkActions, LinkQuestion } from './use-link-actions.ts'

interface LinkDialogsProps {
  question: LinkQuestion | null
  actions: LinkActions
  mayManage: boolean
  maySend: boolean
  now: number
  onAsk: (question: LinkQuestion | null) => void
}

export function LinkDialogs({ question, actions, mayManage, maySend, now, onAsk }: LinkDialogsProps) {
  if (!question) return null
  const close = () => onAsk(null)
  const { link } = question
  switch (question.kind) {
    case 'address':
      return (
        <AddressDialog
          title={m.links_address_title()}
          name={link.label}
          address={question.address}
          onSend={maySend && isSendable(link.kind) ? () => onAsk({ kind: 'send', link }) : undefined}
          onClose={close}
        />
      )
    case 'accesses':
      return (
        <AccessesDialog link={link} onClose={close}>
          {mayManage && isLiveLink(link) && (
            <LiveLinkActions link={link} actions={actions} maySend={maySend} onAsk={onAsk} onClose={close} />
          )}
        </AccessesDialog>
      )
    case 'send':
      return <SendLinkDialog id={link.id} name={link.label} onClose={close} />
    case 'extend':
      return <ExtendDialog link={link} now={now} onClose={close} />
    case 'rotate':
      return (
        <ConfirmDialog
          open
          onClose={close}
          onConfirm={() => actions.copy(link, true)}
          title={m.links_rotate()}
          confirmLabel={m.links_rotate()}
          pending={actions.isPending}
        >
          {m.links_rotate_text()}
        </ConfirmDialog>
      )
    case 'passcode':
      return <PasscodeDialog link={link} onClose={close} />
    case 'revoke':
      return (
        <ConfirmDialog
          open
          onClose={close}
          onConfirm={() => actions.revoke([link.id], close)}
          title={m.links_links_revoke_title({ count: 1 })}
          confirmLabel={m.links_revoke()}
          danger
          pending={actions.isPending}
        >
          {m.links_revoke_text()}
        </ConfirmDialog>
      )
  }
}

interface AddressDialogProps {
  title: string
  /** Of the link, on paper. */
  name: string
  address: string
  /** Where it can be sent to somebody. */
  onSend: (() => void) | undefined
  onClose: () => void
}

/** The address, this once: afterwards only its hash is stored. */
export const AddressDialog = ({ title, name, address, onSend, onClose }: AddressDialogProps) => (
  <SecretAddressDialog
    title={title}
    text={m.links_address_text()}
    label={m.links_address()}
    copyLabel={m.links_copy()}
    copied={m.links_copied()}
    address={address}
    onClose={onClose}
    below={<AddressCode name={name} address={address} />}
  >
    {onSend && (
      <Button icon={Mail} {...onIntent(SendLinkDialog)} onClick={onSend}>
        {m.links_send()}
      </Button>
    )}
    <Button icon={Printer} onClick={() => window.print()}>
      {m.links_print_code()}
    </Button>
    <a className={buttonClass()} href={address} target="_blank" rel="noreferrer">
      <ExternalLink size={16} aria-hidden />
      {m.links_preview()}
    </a>
  </SecretAddressDialog>
)

interface LiveLinkActionsProps {
  link: LinkRow
  actions: LinkActions
  maySend: boolean
  onAsk: (question: LinkQuestion) => void
  onClose: () => void
}

/** The actions of a row, for phones and for those who came to look. */
function LiveLinkActions({ link, actions, maySend, onAsk, onClose }: LiveLinkActionsProps) {
  const isPaused = link.status === 'paused'
  const togglePause = () => {
    actions.setPaused(link, !isPaused)
    onClose()
  }
  return (
    <div className="mb-3 flex flex-wrap gap-2">
      <Button size="sm" icon={Copy} pending={actions.isPending} onClick={() => actions.copy(link, false)}>
        {m.links_copy_again()}
      </Button>
      {maySend && isSendable(link.kind) && !isPaused && (
        <Button size="sm" icon={Mail} onClick={() => onAsk({ kind: 'send', link })}>
          {m.links_send()}
        </Button>
      )}
      <Button size="sm" icon={Hourglass} onClick={() => onAsk({ kind: 'extend', link })}>
        {m.links_extend()}
      </Button>
      {takesPasscode(link) && (
        <Button size="sm" icon={Lock} onClick={() => onAsk({ kind: 'passcode', link })}>
          {m.links_passcode()}
        </Button>
      )}
      <Button size="sm" icon={isPaused ? CirclePlay : CirclePause} onClick={togglePause}>
        {isPaused ? m.links_resume() : m.links_pause()}
      </Button>
      <Button size="sm" icon={CircleX} onClick={() => onAsk({ kind: 'revoke', link })}>
        {m.links_revoke()}
      </Button>
    </div>
  )
}

interface AccessesDialogProps {
  link: LinkRow
  children: ReactNode
  onClose: () => void
}

/** Who looked and when: time and browser, never an address. */
function AccessesDialog({ link, children, onClose }: AccessesDialogProps) {
  const { data } = useQuery(callQuery(linkAccesses, { id: link.id }))
  return (
    <Dialog
      open
      dismissible
      onClose={onClose}
      title={link.label}
      description={m.links_view_count({ count: link.viewCount })}
    >
      {children}
      {!data && <SkeletonRows rows={4} />}
      {data?.accesses.length === 0 && <p className="text-ink-2">{m.links_no_views()}</p>}
      {data && data.accesses.length > 0 && (
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{m.links_time()}</th>
              <th scope="col">{m.links_browser()}</th>
            </tr>
          </thead>
          <tbody>
            {data.accesses.map(({ at, userAgentFamily, isWrongPasscode }) => (
              <tr key={at}>
                <td className="num">{formatDayTimeThere(at, viewerZone())}</td>
                <td>
                  {userAgentFamily ?? m.links_other_browser()}
                  {isWrongPasscode && <b className="ms-2 font-medium text-warn">{m.links_passcode_wrong()}</b>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data && data.accesses.length > 0 && (
        <p className="mt-2 flex items-center gap-1 text-xs text-ink-2">{m.links_log_note()}</p>
      )}
    </Dialog>
  )
}

interface ExtendDialogProps {
  link: LinkRow
  now: number
  onClose: () => void
}

function ExtendDialog({ link, now, onClose }: ExtendDialogProps) {
  const [expiry, setExpiry] = useState<Expiry>({ preset: 'week', date: '' })
  const extend = useCall(extendLink, {
    onSuccess: () => {
      toast(m.links_extended())
      onClose()
    },
  })
  const until = expiryMoment(expiry, now)
  const send = () => until && extend.mutate({ id: link.id, version: link.version, expiresAt: until })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={send}
      title={m.links_extend_title()}
      confirmLabel={m.links_extend()}
      pending={extend.isPending}
      disabledReason={until ? undefined : m.links_date_first()}
      error={extend.error ? refusalText(extend.error) : undefined}
    >
      <p className="mb-3">{m.links_ends_now({ time: formatDayTimeThere(link.expiresAt, viewerZone()) })}</p>
      <ExpiryChoice value={expiry} onChange={setExpiry} now={now} hasMonth={link.kind === 'report'} />
    </ConfirmDialog>
  )
}
