from drawing import Drawing


def drawings():
    d = Drawing(
        "training_step", 600, 210,
        "One step of training: zero_grad clears the gradients; the points go through the net, which gives the loss; backward"
        " gives each parameter its gradient; gradients are clipped; the optimiser changes the parameters at the learning"
        " rate that the schedule names, and the next step begins.",
    )  # fmt: skip
    zero = d.box(10, 20, 110, 40, "zero_grad", role="gradient")
    net = d.box(160, 20, 130, 40, "net, forward")
    loss = d.box(340, 20, 70, 40, "loss")
    back = d.box(460, 20, 130, 40, "backward", role="gradient")
    clip = d.box(460, 130, 130, 40, "clip the norm", role="gradient")
    step = d.box(270, 130, 130, 40, "optimiser.step")
    points = d.box(160, 95, 80, 30, "points", size=13)
    d.arrow(zero.right, net.left)
    d.arrow(points.top, (200, 60))
    d.arrow(net.right, loss.left)
    d.arrow(loss.right, back.left, role="gradient")
    d.arrow(back.bottom, clip.top, role="gradient")
    d.text(516, 95, "gradients", 13, "end")
    d.arrow(clip.left, step.right, role="gradient")
    d.arrow((275, 130), (275, 60))
    d.text(283, 95, "new parameters", 12, "start")
    d.arrow((425, 195), (335, 195), step.bottom)
    d.text(432, 195, "the schedule's rate", 12, "start")
    d.arrow(step.left, (65, 150), zero.bottom)
    d.text(75, 138, "next step", 12, "start")
    yield d
