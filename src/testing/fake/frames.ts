const headBytes = 5;

/** A letter, four bytes of length, and the body. */
export function frame(type: string, text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.alloc(headBytes);
  head.write(type, 0);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

/** Takes chunks as they come and tells each complete frame. */
export function createFrames(onFrame: (type: string, body: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= headBytes) {
      const end = headBytes + rest.readUInt32BE(1);
      if (rest.length < end) return;
      const type = String.fromCharCode(rest[0] ?? 0);
      const body = rest.subarray(headBytes, end);
      rest = rest.subarray(end);
      onFrame(type, body);
    }
  };
}
