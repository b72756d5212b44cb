import { uploadChunkBytes, type UploadState } from '@tour-ops/contract/files'
import { Interrupted, type FilesEnvironment, type SendFileRequest } from './files-requests.ts'
import type { Transfer } from './upload-task.ts'

/** Pieces begin small, so that a slow line shows progress, and double while each takes less than this. */
const firstPieceBytes = 128 * 1024
const quickPieceMs = 1_000

/** A content that goes to our own server piece by piece, from where the server says it is. */
export function piecesTransfer(content: Blob, send: SendFileRequest, environment: FilesEnvironment): Transfer {
  let pieceBytes = firstPieceBytes
  let isNew = true

  const sendPiece = async (path: string, from: number, signal: AbortSignal): Promise<number> => {
    const { size } = content
    const to = Math.min(size, from + pieceBytes)
    const startedMs = environment.now()
    const { offset } = await send<UploadState>({
      method: 'PUT',
      path,
      headers: { 'content-type': 'application/octet-stream', 'content-range': `bytes ${from}-${to - 1}/${size}` },
      body: content.slice(from, to),
      signal,
    })
    if (offset <= from) throw new Interrupted('The server kept nothing of the piece.')
    const tookMs = environment.now() - startedMs
    if (tookMs < quickPieceMs) pieceBytes = Math.min(uploadChunkBytes, pieceBytes * 2)
    return offset
  }

  return {
    async run({ uploadId }, signal, arrived) {
      const path = `/files/uploads/${uploadId}`
      let offset = isNew ? 0 : (await send<UploadState>({ method: 'GET', path, signal })).offset
      isNew = false
      arrived(offset, false)
      while (offset < content.size) {
        offset = await sendPiece(path, offset, signal)
        arrived(offset, true)
      }
    },
  }
}
