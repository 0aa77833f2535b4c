"""shuffle_torch.py - what torch takes for what bench_shuffle does: randperm and x[p], rows by index,
and a weighted sum of gathered rows.  CSV: what, n, ms (medians of 9)."""
import torch


def median_ms(run):
    times = []
    for k in range(11):
        a = torch.cuda.Event(enable_timing=True)
        b = torch.cuda.Event(enable_timing=True)
        a.record()
        run()
        b.record()
        b.synchronize()
        if k > 1:
            times.append(a.elapsed_time(b))
    return sorted(times)[4]


print("what,n,ms")
for log in (20, 24, 26, 28):
    n = 1 << log
    x = torch.arange(n, dtype=torch.int32, device="cuda")
    p = torch.randperm(n, device="cuda")
    print(f"randperm,{n},{median_ms(lambda: torch.randperm(n, device='cuda')):.4f}")
    print(f"x[p] (i64),{n},{median_ms(lambda: x[p]):.4f}")
    p = p.int()
    print(f"x[p] (i32),{n},{median_ms(lambda: x[p]):.4f}")
    del x, p
for width in (4096, 8192, 14336):
    n = (1 << 29) // width
    x = torch.randn(n, width // 2, device="cuda").bfloat16()
    p = torch.randperm(n, device="cuda")
    y = torch.empty_like(x)
    print(f"rows of {width} x[p],{n},{median_ms(lambda: torch.index_select(x, 0, p, out=y)):.4f}")
    del x, y
for columns in (4096, 7168):
    x = torch.randn(65536, columns, device="cuda").bfloat16()
    p = torch.randperm(65536, device="cuda")
    w = torch.rand(8192, 8, 1, device="cuda")
    print(f"gather sum {columns},65536,"
          f"{median_ms(lambda: (x[p].view(8192, 8, columns) * w).sum(1).bfloat16()):.4f}")
    b = w.bfloat16().view(8192, 1, 8)
    print(f"gather bmm {columns},65536,"
          f"{median_ms(lambda: torch.bmm(b, x[p].view(8192, 8, columns))):.4f}")
