import { AppError } from '@tour-ops/contract/errors'
import { fileTypes, fileUses } from '@tour-ops/contract/files'
import { Trash2, Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { UploadTask } from '../../backend/files-port.ts'
import { currentBackend } from '../../backend/port.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { formatSizeLimit } from '../../ui/format.ts'
import { ProgressBar } from '../../ui/progress.tsx'
import { toast } from '../../ui/toast.tsx'
import { currentAccounts } from '../accounts-port.ts'
import type { OrganizationRecord } from '../auth-store.ts'
import { serviceWidgets, type ServiceWidgets } from '../service-widgets.ts'
import { identityErrorText } from './identity-errors.ts'
import { OrganizationTile } from './organization-tile.tsx'

const { maxBytes, types } = fileUses.organization_logo
const accepted = types.map((type) => fileTypes[type]).join(',')

interface OrganizationLogoProps {
  organization: OrganizationRecord
  mayChange: boolean
}

/** The logo, with upload and removal for those who may change the organization. */
export function OrganizationLogo(props: OrganizationLogoProps) {
  const service = serviceWidgets()
  return service ? <ServiceLogo {...props} {...service} /> : <OwnLogo {...props} />
}

/** A hosted identity service keeps logos itself, in its own dialog. */
function ServiceLogo({
  organization: { id, name, imageUrl },
  mayChange,
  openOrganizationProfile,
}: OrganizationLogoProps & ServiceWidgets) {
  return (
    <div className="flex items-center gap-4">
      <OrganizationTile id={id} name={name} imageUrl={imageUrl} size={64} />
      {mayChange && <Button onClick={openOrganizationProfile}>{m.identity_organization_profile()}</Button>}
    </div>
  )
}

function OwnLogo({ organization, mayChange }: OrganizationLogoProps) {
  const { id, name, imageUrl } = organization
  const input = useRef<HTMLInputElement>(null)
  const task = useRef<UploadTask | null>(null)
  const [progress, setProgress] = useState<{ bytesSent: number; bytesTotal: number } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  // Nobody waits for it once the dialog is gone.
  useEffect(() => () => task.current?.cancel(), [])

  const upload = async (file: File) => {
    setProblem(null)
    if (file.size > maxBytes) return setProblem(m.identity_logo_too_large({ size: formatSizeLimit(maxBytes) }))
    setProgress({ bytesSent: 0, bytesTotal: file.size })
    try {
      const files = await currentBackend().files()
      task.current = files.upload(file, { use: 'organization_logo', onProgress: setProgress })
      const stored = await task.current.result
      await currentAccounts().updateOrganization(id, { imageUrl: stored.publicUrls?.['medium'] ?? null })
      toast(m.identity_logo_saved())
    } catch (error) {
      if (task.current?.state !== 'canceled') setProblem(uploadErrorText(error))
    } finally {
      task.current = null
      setProgress(null)
    }
  }
  const remove = async () => {
    setProblem(null)
    try {
      await currentAccounts().updateOrganization(id, { imageUrl: null })
      toast(m.identity_logo_removed())
    } catch (error) {
      setProblem(identityErrorText(AppError.from(error)))
    }
  }
  return (
    <div className="flex items-center gap-4">
      <OrganizationTile id={id} name={name} imageUrl={imageUrl} size={64} />
      <div className="min-w-0 flex-1">
        {progress ? (
          <div className="flex items-center gap-3">
            <div className="min-w-0 flex-1">
              <ProgressBar
                label={m.identity_logo_uploading()}
                value={progress.bytesSent}
                max={Math.max(1, progress.bytesTotal)}
              />
            </div>
            <Button size="sm" onClick={() => task.current?.cancel()}>
              {m.identity_cancel()}
            </Button>
          </div>
        ) : (
          mayChange && (
            <div className="flex flex-wrap gap-2">
              <Button icon={Upload} onClick={() => input.current?.click()}>
                {imageUrl ? m.identity_logo_replace() : m.identity_logo_upload()}
              </Button>
              {imageUrl && (
                <Button variant="ghost" icon={Trash2} onClick={() => void remove()}>
                  {m.identity_logo_remove()}
                </Button>
              )}
            </div>
          )
        )}
        {mayChange && (
          <p className="mt-1.5 text-xs text-ink-2">{m.identity_logo_hint({ size: formatSizeLimit(maxBytes) })}</p>
        )}
        {problem !== null && (
          <p role="alert" className="mt-1 text-xs font-medium text-bad">
            {problem}
          </p>
        )}
        <input
          ref={input}
          type="file"
          accept={accepted}
          className="sr-only"
          tabIndex={-1}
          aria-label={m.identity_logo_upload()}
          onChange={(event) => {
            const file = event.target.files?.[0]
            event.target.value = ''
            if (file) void upload(file)
          }}
        />
      </div>
    </div>
  )
}

/** Refused for its content, or for reasons of storage. Source: spec, section 8, "Storage codes". */
function uploadErrorText(error: unknown): string {
  if (error instanceof AppError && error.code === 'invalid-argument') return m.identity_logo_wrong_type()
  if (error instanceof AppError) return identityErrorText(error)
  return m.identity_logo_failed()
}
