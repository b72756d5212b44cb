import { AppError } from '@tour-ops/contract/errors'
import type { FirebaseStorage, UploadTask } from 'firebase/storage'
import type { Transfer } from '../upload-task.ts'
import { storageErrorOfFirebase } from './firebase-errors.ts'

export interface OpenStorage {
  readonly sdk: typeof import('firebase/storage')
  readonly storage: FirebaseStorage
}

/**
 * A content that the SDK sends to the bucket, resumable from 256 KB on; our server is notified when it has arrived. The SDK repeats by
 * itself and has its own time limit.
 */
export function storageTransfer(content: Blob, open: () => Promise<OpenStorage>): Transfer {
  let task: UploadTask | undefined

  // not async: the SDK's task is a promise of its end as well, and waiting for it would wait for the upload
  const begin = ({ sdk, storage }: OpenStorage, object: string | undefined): UploadTask => {
    if (object === undefined) throw new AppError('internal', 'The server has no bucket for this file.')
    // what a file is, our server finds out by its content
    return sdk.uploadBytesResumable(sdk.ref(storage, object), content, { contentType: 'application/octet-stream' })
  }
  return {
    async run({ object }, signal, arrived) {
      task?.resume()
      const opened = await open()
      const running = (task ??= begin(opened, object))
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const stop = running.on(
        'state_changed',
        ({ bytesTransferred }) => arrived(bytesTransferred, true),
        (error) => reject(storageErrorOfFirebase(error)),
        resolve,
      )
      const pause = () => {
        running.pause()
        reject(new AppError('cancelled', 'The upload was stopped.'))
      }
      if (signal.aborted) pause()
      signal.addEventListener('abort', pause, { once: true })
      try {
        await promise
      } finally {
        stop()
        signal.removeEventListener('abort', pause)
      }
    },
    cancel: () => void task?.cancel(),
  }
}
