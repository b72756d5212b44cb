import { useQuery } from '@tanstack/react-query'
import { isImageType } from '@tour-ops/contract/files'
import { type IncidentFile, removeIncidentFile } from '@tour-ops/contract/monitoring/incident-files'
import { Download, ImageOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { currentBackend } from '../../backend/port.ts'
import { useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { formatBytes } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { saveFrom } from '../../ui/save-file.ts'
import { toast } from '../../ui/toast.tsx'

/** Less than the five minutes for which the server's links work. */
const linkFreshMs = 4 * 60_000

interface LogFileProps {
  entryId: string
  name: string
  file: IncidentFile
}

/** A file of the log: a photo small and, when pressed, large; everything to download, and to remove for who may. */
export function LogFile({ entryId, name, file }: LogFileProps) {
  const [isOpen, setOpen] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  return (
    <div className="flex items-center gap-x-3 py-1.5">
      {isImageType(file.contentType) && (
        <button
          type="button"
          className="size-16 shrink-0 overflow-hidden rounded-md border border-line bg-surface-2"
          aria-label={m.monitoring_photo_open_named({ name })}
          onClick={() => setOpen(true)}
        >
          <Photo fileId={file.id} size="small" alt="" className="size-full object-cover" />
        </button>
      )}
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="num text-ink-2">{formatBytes(file.size)}</span>
        <span className="flex items-center gap-1">
          <DownloadButton name={name} fileId={file.id} />
          {file.mayRemove && (
            <IconButton
              small
              icon={Trash2}
              iconSize={16}
              label={m.monitoring_file_remove_named({ name })}
              onClick={() => setRemoving(true)}
            />
          )}
        </span>
      </div>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        dismissible
        wide
        title={<bdi className="break-words">{name}</bdi>}
        actions={<DownloadButton name={name} fileId={file.id} />}
      >
        <div className="grid min-h-40 place-items-center">
          <Photo fileId={file.id} size="large" alt={name} className="max-h-[65vh] max-w-full rounded-md" />
        </div>
      </Dialog>
      <RemoveDialog open={isRemoving} entryId={entryId} name={name} onClose={() => setRemoving(false)} />
    </div>
  )
}

const linkOf = async (fileId: string, size?: string): Promise<string> =>
  (await currentBackend().files()).link(fileId, size)

interface PhotoProps {
  fileId: string
  /** One of the sizes of `fileUses.incident_file`. */
  size: 'small' | 'large'
  /** Empty where the name is next to it. */
  alt: string
  className: string
}

function Photo({ fileId, size, alt, className }: PhotoProps) {
  const [isBroken, setBroken] = useState(false)
  const { data: address, error } = useQuery({
    queryKey: ['file-link', fileId, size],
    queryFn: () => linkOf(fileId, size),
    staleTime: linkFreshMs,
    gcTime: linkFreshMs,
    // a photo that is shown needs its address no more
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  if (error || isBroken) {
    return size === 'small' ? (
      <ImageOff size={20} className="mx-auto text-ink-2" aria-hidden />
    ) : (
      <p role="alert" className="font-medium text-bad">
        {m.monitoring_photo_unavailable()}
      </p>
    )
  }
  return address && <img src={address} alt={alt} className={className} onError={() => setBroken(true)} />
}

/** Asks for an address when it is pressed, since none works for long. */
function DownloadButton({ name, fileId }: { name: string; fileId: string }) {
  const [isPending, setPending] = useState(false)
  const download = async () => {
    setPending(true)
    try {
      saveFrom(await linkOf(fileId), name)
    } catch (error) {
      toast(refusalText(error))
    } finally {
      setPending(false)
    }
  }
  return (
    <Button
      size="sm"
      icon={Download}
      aria-label={m.monitoring_file_download_named({ name })}
      pending={isPending}
      onClick={() => void download()}
    >
      {m.monitoring_file_download()}
    </Button>
  )
}

interface RemoveDialogProps {
  open: boolean
  entryId: string
  name: string
  onClose: () => void
}

function RemoveDialog({ open, entryId, name, onClose }: RemoveDialogProps) {
  const remove = useCall(removeIncidentFile, {
    onSuccess: () => {
      toast(m.monitoring_file_removed_named({ name }))
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open={open}
      onClose={() => {
        remove.reset()
        onClose()
      }}
      onConfirm={() => remove.mutate({ id: entryId })}
      title={m.monitoring_file_remove_title()}
      confirmLabel={m.monitoring_file_remove()}
      danger
      pending={remove.isPending}
      {...(remove.error && { error: refusalText(remove.error) })}
    >
      <p className="break-words">{m.monitoring_file_remove_text({ name })}</p>
    </ConfirmDialog>
  )
}
