/** A bucket of tokens for each address: it fills slowly and empties with every request. */
export class RateLimiter {
  private buckets = new Map<string, { tokens: number; at: number }>();

  constructor(private perSecond: number, private burst: number, private clock: () => number) {}

  allow(address: string): boolean {
    const now = this.clock();
    const bucket = this.buckets.get(address) ?? { tokens: this.burst, at: now };
    bucket.tokens = Math.min(this.burst, bucket.tokens + ((now - bucket.at) / 1000) * this.perSecond);
    bucket.at = now;
    this.buckets.set(address, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  /** Forget addresses that have not been seen for a while. */
  sweep(olderThan: number): void {
    for (const [address, bucket] of this.buckets) if (bucket.at < olderThan) this.buckets.delete(address);
  }
}
